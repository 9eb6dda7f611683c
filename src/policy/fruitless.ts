import type { ToolCall } from '../contract/messages.ts'

/** Responses in a row that may ask for nothing that can run; the model has been told each time. */
const FRUITLESS_MAX = 5
/** Of those all whose calls a limit took away: one more turn, to work with what is there. Source: decision 7. */
const DROPPED_MAX = 2

/** Whether any of the calls can run: its arguments were read, and its tool is there. */
export const canRunAny = (calls: readonly ToolCall[], tools: readonly { readonly name: string }[]): boolean =>
  calls.some((call) => call.invalid === undefined && tools.some(({ name }) => name === call.name))

/** Why an agent must end whose last responses all asked for nothing that can run, or `null`. */
export const fruitlessWhy = (inARow: number, dropped: boolean): string | null =>
  inARow < (dropped ? DROPPED_MAX : FRUITLESS_MAX)
    ? null
    : `${inARow} responses in a row asked for nothing that could run.`
