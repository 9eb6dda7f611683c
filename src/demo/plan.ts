/** A tool call that the script makes. */
export interface Call {
  readonly name: string
  readonly args: Readonly<Record<string, unknown>>
}

/** What came back from one call. */
export interface ToolResult {
  readonly ok: boolean
  readonly content: string
}

/** One answer that goes on: what is said, and the calls made with it. */
export interface Turn {
  readonly say: string
  readonly calls: readonly Call[]
}

/**
 * What an agent of the demo does, written as it happens: it yields its calls, is handed their results in the same order,
 * and returns its answer.
 */
export type Plan = Generator<Turn, string, readonly ToolResult[]>

export const turn = (say: string, ...calls: readonly Call[]): Turn => ({ say, calls })

/** Stands for a call that the runtime left out of the transcript. */
export const NOT_RUN: ToolResult = { ok: false, content: 'Error: not run' }

/** A call under the id that it has on the wire. */
export interface NumberedCall extends Call {
  readonly id: string
}

export interface Reply {
  readonly text: string
  readonly calls: readonly NumberedCall[]
}

/** One answer of the transcript that made calls: what came of each, by id. */
export type Round = ReadonlyMap<string, ToolResult>

// A runtime that meets an id again gives it a number at the end.
const resultOf = (round: Round, id: string): ToolResult => {
  for (const [known, result] of round) if (known === id || known.startsWith(`${id}_`)) return result
  return NOT_RUN
}

/**
 * The next answer of a plan after the rounds there have been. The plan is played from its beginning each time, so the
 * server keeps nothing between two requests and every answer follows from what the request holds.
 */
export const replay = (name: string, plan: Plan, rounds: readonly Round[]): Reply => {
  const number = (calls: readonly Call[], at: number): readonly NumberedCall[] =>
    calls.map((call, i) => ({ ...call, id: `${name}_${at + 1}_${i + 1}` }))
  let step = plan.next([])
  for (const [at, round] of rounds.entries()) {
    if (step.done) break
    step = plan.next(number(step.value.calls, at).map(({ id }) => resultOf(round, id)))
  }
  return step.done
    ? { text: step.value, calls: [] }
    : { text: step.value.say, calls: number(step.value.calls, rounds.length) }
}
