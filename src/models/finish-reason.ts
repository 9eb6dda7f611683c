/** What the provider's word for the end of an answer means. Words lie, so only those that change what to do are told apart. */
export type Ending = 'whole' | 'limit' | 'filter' | 'refusal' | 'fault'

/** The output limit: the answer is cut. */
const LIMITS = ['length', 'max_tokens', 'model_length', 'max_output_tokens']
const FILTERS = [
  ...['content_filter', 'content-filter', 'safety', 'image_safety', 'recitation', 'blocklist', 'prohibited_content'],
  ...['spii', 'sensitive', 'guardrail_intervened'],
]
const REFUSALS = ['refusal']
/** The provider's own trouble, so that another attempt may go well. */
const FAULTS = [
  ...['error', 'network_error', 'insufficient_system_resource', 'engine_overloaded', 'malformed_function_call'],
  ...['timeout', 'abort', 'aborted', 'cancelled'],
]

const ENDINGS = new Map<string, Ending>([
  ...LIMITS.map((word) => [word, 'limit'] as const),
  ...FILTERS.map((word) => [word, 'filter'] as const),
  ...REFUSALS.map((word) => [word, 'refusal'] as const),
  ...FAULTS.map((word) => [word, 'fault'] as const),
])

export const endingOf = (finishReason: string | null): Ending =>
  finishReason === null ? 'whole' : (ENDINGS.get(finishReason) ?? ENDINGS.get(finishReason.toLowerCase()) ?? 'whole')
