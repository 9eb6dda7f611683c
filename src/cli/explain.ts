import { type ErrorCode, type ErrorData, messageOf, type Problem } from '../contract/errors.ts'
import { EXIT, exitOfCode } from './exit.ts'
import { wayOutOfModelTrouble } from './model-trouble.ts'
import { UsageError } from './parse.ts'
import { problemLine } from './problem-line.ts'
import { cleanVisible, oneLine } from './view/text.ts'

const NO_MODEL =
  'Set OPENAI_API_KEY, or write a config with `troupe init`. `troupe demo` (`npm start` in its repository) shows Troupe without either, on a scripted demo model.'

const WAYS_OUT: { readonly [C in ErrorCode]?: string } = {
  CONFIG_INVALID: 'Correct the config; `troupe check` looks it over again.',
  ENV_UNSET: 'Set the variable, or choose another model with --model.',
  OPTIONS_INVALID: 'See: troupe run --help',
  THREAD_BUSY: 'Wait until the other run has ended, or leave out --thread to begin a new conversation.',
  TIMED_OUT: 'Give the lead more time with `lead.timeout_seconds` in the config.',
  THREAD_LOST: 'An agent thread ended under the run; running it again is safe.',
}

// Says nothing to a person, unlike the codes that name what to look for.
const coded = ({ code, message }: ErrorData): string => (code === 'INTERNAL' ? message : `${message} (${code})`)

/** What went wrong in a run that had begun, and the way out. */
export const explainError = (error: ErrorData): string[] => {
  const way = error.code === 'MODEL_FAILED' ? wayOutOfModelTrouble(error.message) : WAYS_OUT[error.code]
  return [`error: ${cleanVisible(coded(error))}`, ...(way ? [way] : [])]
}

// By name and not by class: realms differ.
const isCoded = (
  thrown: unknown,
): thrown is Error & { readonly code: ErrorCode; readonly problems?: readonly Problem[] } =>
  thrown instanceof Error && thrown.name === 'TroupeError' && 'code' in thrown

export const problemsOf = (thrown: unknown): readonly Problem[] => (isCoded(thrown) ? (thrown.problems ?? []) : [])

/** What went wrong before a run began: lines for stderr, and the exit status. */
export const explainThrown = (thrown: unknown): { readonly lines: readonly string[]; readonly code: number } => {
  if (thrown instanceof UsageError) return { lines: [`error: ${oneLine(thrown.message)}`], code: EXIT.usage }
  if (!isCoded(thrown)) return { lines: [`error: ${cleanVisible(messageOf(thrown))}`], code: EXIT.failed }
  const problems = problemsOf(thrown)
  if (problems.length === 0)
    return { lines: explainError({ code: thrown.code, message: thrown.message }), code: exitOfCode(thrown.code) }
  const way = problems.some(({ path }) => path === 'models') ? NO_MODEL : (WAYS_OUT[thrown.code] ?? '')
  const [title = ''] = thrown.message.split('\n', 1)
  return {
    lines: [`error: ${oneLine(title)}`, ...problems.map((problem) => `  ${problemLine(problem)}`), way],
    code: exitOfCode(thrown.code),
  }
}
