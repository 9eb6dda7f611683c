import type { ScriptedRequest } from '../../src/testing/scripted-model.ts'
import type { ScriptedReply } from '../../src/testing/scripted-reply.ts'

/** One request as the agent behind it stands: a script answers by who asks, and how far they are. */
export interface Turn {
  /** The first user message: what the agent was told to do. */
  readonly prompt: string
  /** Answers the agent has had so far. */
  readonly turn: number
  /** Content of the tool messages since the last answer, in their order. */
  readonly results: readonly string[]
  /** Texts of the messages behind the first, whoever wrote them. */
  readonly said: readonly string[]
  readonly request: ScriptedRequest
}

export type Part = (turn: Turn) => ScriptedReply | Promise<ScriptedReply>

const textOf = (content: unknown): string => (typeof content === 'string' ? content : '')

export const turnOf = (request: ScriptedRequest): Turn => {
  const messages = request.body?.messages ?? []
  const lastAnswer = messages.findLastIndex(({ role }) => role === 'assistant')
  return {
    prompt: textOf(messages.find(({ role }) => role === 'user')?.content),
    turn: messages.filter(({ role }) => role === 'assistant').length,
    results: messages
      .slice(lastAnswer + 1)
      .filter(({ role }) => role === 'tool')
      .map(({ content }) => textOf(content)),
    said: messages.slice(2).map(({ content }) => textOf(content)),
    request,
  }
}

/** A script in which the first word of an agent's prompt says who answers it. */
export const cast =
  (parts: Readonly<Record<string, Part>>) =>
  (request: ScriptedRequest): ScriptedReply | Promise<ScriptedReply> => {
    const turn = turnOf(request)
    const part = parts[turn.prompt.split(/\s/)[0] ?? '']
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
