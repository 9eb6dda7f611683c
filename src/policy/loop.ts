import type { LoopLimits } from '../contract/guards.ts'
import type { ToolCall } from '../contract/messages.ts'
import { hashCalls } from './loop-key.ts'

export interface LoopVerdict {
  /** Whether the agent must end; else it is warned. */
  readonly stop: boolean
  /** What was seen. */
  readonly why: string
}

/** Remembers the calls of one agent for as long as they count. */
export interface LoopWatch {
  /** Looks at the calls of one response. `null`: nothing to say. */
  next(calls: readonly ToolCall[]): LoopVerdict | null
}

/** Two looks at every response: whether it makes the same calls again, and how often it calls one tool. Source: contract/runtime §4. */
export const createLoopWatch = (limits: LoopLimits): LoopWatch => {
  const repeats = watchRepeats(limits)
  const frequency = watchFrequency(limits)
  return {
    next(calls) {
      const again = repeats(hashCalls(calls))
      // Counted also when the first look has spoken: a warning must not hide what comes behind it.
      const often = frequency(calls)
      if (again?.stop || often === null) return again
      if (often.stop || again === null) return often
      return { stop: false, why: `${again.why} ${often.why}` }
    },
  }
}

/** The first look. One entry a response, so that parallel calls count once. */
const watchRepeats = ({ warn, hard, window }: LoopLimits) => {
  const recent: number[] = []
  const warned = new Set<number>()
  return (key: number): LoopVerdict | null => {
    recent.push(key)
    const oldest = recent.length > window ? recent.shift() : undefined
    if (oldest !== undefined && !recent.includes(oldest)) warned.delete(oldest)
    const count = countOf(recent, key)
    if (count >= hard) return { stop: true, why: `The same tool calls were made ${count} times.` }
    if (count < warn || warned.has(key)) return null
    warned.add(key)
    return { stop: false, why: `You have made the same tool calls ${count} times.` }
  }
}

const countOf = (recent: readonly number[], key: number): number => {
  let count = 0
  for (const other of recent) if (other === key) count++
  return count
}

/** The second look. One entry a call, whatever its arguments; calls of other tools in between let a count decay. */
const watchFrequency = ({ window, toolWarn, toolHard, overrides }: LoopLimits) => {
  const own = new Map(Object.entries(overrides))
  const common = { warn: toolWarn, hard: toolHard }
  const span = Math.max(window, toolHard, ...[...own.values()].map(({ hard }) => hard))
  const recent: string[] = []
  const counts = new Map<string, number>()
  const warned = new Set<string>()

  const add = (name: string): number => {
    recent.push(name)
    const count = (counts.get(name) ?? 0) + 1
    counts.set(name, count)
    const oldest = recent.length > span ? recent.shift() : undefined
    if (oldest === undefined) return count
    counts.set(oldest, (counts.get(oldest) ?? 1) - 1)
    return counts.get(name) ?? 0
  }

  const look = (name: string): LoopVerdict | null => {
    const count = add(name)
    const { warn, hard } = own.get(name) ?? common
    if (count >= hard) return { stop: true, why: `The tool ${name} was called ${count} times.` }
    if (count < warn) warned.delete(name)
    if (count < warn || warned.has(name)) return null
    warned.add(name)
    return { stop: false, why: `You have called the tool ${name} ${count} times.` }
  }

  // Delegations have bounds of their own, and one response may rightly hold as many as any other tool may have in all.
  const isCounted = ({ name }: ToolCall): boolean => name !== 'task' || own.has(name)

  return (calls: readonly ToolCall[]): LoopVerdict | null => {
    let verdict: LoopVerdict | null = null
    for (const { name } of calls.filter(isCounted)) {
      const next = look(name)
      if (next && !verdict?.stop) verdict = next.stop || verdict === null ? next : join(verdict, next)
    }
    return verdict
  }
}

const join = (a: LoopVerdict, b: LoopVerdict): LoopVerdict => ({ stop: false, why: `${a.why} ${b.why}` })

/** What the model is told with its next request only. */
export const loopNote = ({ why }: LoopVerdict): string =>
  `[LOOP DETECTED] ${why} Repeating them brings nothing new: use what they gave you, try another way, or give your answer now. If they go on, you will be stopped.`
