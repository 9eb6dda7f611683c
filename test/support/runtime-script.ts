import type { ScriptedRequest } from '../../src/testing/scripted-model.ts'
import type { ScriptedReply } from '../../src/testing/scripted-reply.ts'

/** One request as the agent behind it stands: a script answers by who asks, and how far they are. */
export interface Turn {
  /** The first user message, or of a conversation that goes on the one that this run began with. */
  readonly prompt: string
  /** Answers the agent has had since. */
  readonly turn: number
  /** Content of the tool messages since the last answer, in their order. */
  readonly results: readonly string[]
  /** Texts of the messages behind the prompt, whoever wrote them. */
  readonly said: readonly string[]
  readonly request: ScriptedRequest
}

export type Part = (turn: Turn) => ScriptedReply | Promise<ScriptedReply>

const textOf = (content: unknown): string => (typeof content === 'string' ? content : '')
const firstWord = (text: string): string => text.split(/\s/)[0] ?? ''

/** `names`: first words of prompts, to know one by. A block of data that stands first may have a name too. */
export const turnOf = (request: ScriptedRequest, names: readonly string[] = []): Turn => {
  const messages = request.body?.messages ?? []
  const isUser = ({ role }: { readonly role?: unknown }): boolean => role === 'user'
  const nameOf = ({ content }: { readonly content?: unknown } = {}): string => firstWord(textOf(content))
  const first = messages.findIndex(isUser)
  const isBlock = nameOf(messages[first]).startsWith('<') && names.includes(nameOf(messages[first]))
  const known = messages.findLastIndex((each) => isUser(each) && names.includes(nameOf(each)))
  const at = isBlock || known < 0 ? first : known
  const since = messages.slice(at + 1)
  return {
    prompt: textOf(messages[at]?.content),
    turn: since.filter(({ role }) => role === 'assistant').length,
    results: since
      .slice(since.findLastIndex(({ role }) => role === 'assistant') + 1)
      .filter(({ role }) => role === 'tool')
      .map(({ content }) => textOf(content)),
    said: since.map(({ content }) => textOf(content)),
    request,
  }
}

/** A script in which the first word of an agent's prompt says who answers it. */
export const cast =
  (parts: Readonly<Record<string, Part>>) =>
  (request: ScriptedRequest): ScriptedReply | Promise<ScriptedReply> => {
    const turn = turnOf(request, Object.keys(parts))
    const part = parts[firstWord(turn.prompt)]
    if (part === undefined) throw new Error(`nobody plays ${JSON.stringify(turn.prompt.slice(0, 40))}`)
    return part(turn)
  }

/** Answers turn by turn; the last answer stands for all later turns. */
export const inTurns =
  (...answers: readonly (ScriptedReply | Part)[]): Part =>
  (turn) => {
    const answer = answers[Math.min(turn.turn, answers.length - 1)] ?? {}
    return typeof answer === 'function' ? answer(turn) : answer
  }

/** Never answers: the headers come and then nothing. */
export const silence: ScriptedReply = { text: 'never sent', stallAfterChunks: 1 }

/** What must be there, or the test has failed. */
export const must = <T>(value: T | null | undefined): T => {
  if (value === null || value === undefined) throw new Error('what must be there is missing')
  return value
}

export interface Latch<T = void> {
  readonly opened: Promise<T>
  open(value: T): void
}

/** Something that one part of a test waits for and another lets happen. */
export const latch = <T = void>(): Latch<T> => {
  let open: (value: T) => void = () => {}
  const opened = new Promise<T>((resolve) => {
    open = resolve
  })
  return { opened, open: (value) => open(value) }
}
