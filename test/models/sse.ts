/** Writes streams as providers do, for tests of what reads them. */
export const chunk = (fields: object): string => `data: ${JSON.stringify({ id: 'chatcmpl-1', ...fields })}\n\n`
export const delta = (fields: object, finish: string | null = null): string =>
  chunk({ choices: [{ index: 0, delta: fields, finish_reason: finish }] })
export const text = (content: unknown): string => delta({ content })
export const calls = (...list: readonly unknown[]): string => delta({ tool_calls: list })
export const stop = delta({}, 'stop')
export const wantsTools = delta({}, 'tool_calls')
export const usage = chunk({ choices: [], usage: { prompt_tokens: 12, completion_tokens: 3, total_tokens: 15 } })
export const done = 'data: [DONE]\n\n'

/** A delta of one call; fields left out are not sent at all. */
export const piece = (args?: unknown, fields: { index?: number; id?: unknown; name?: unknown } = {}): object => {
  const { name, ...rest } = fields
  return {
    ...rest,
    function: { ...(name === undefined ? {} : { name }), ...(args === undefined ? {} : { arguments: args }) },
  }
}

export const counted = { prompt_tokens: 12, completion_tokens: 3, total_tokens: 15 }

/** An answer sent whole. */
export const whole = (message: object, finish: string | null = 'stop'): string =>
  JSON.stringify({ id: 'x', choices: [{ index: 0, message, finish_reason: finish }], usage: counted })
