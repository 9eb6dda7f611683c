import * as z from 'zod/mini'
import {
  count,
  entry,
  list,
  moduleExport,
  optional,
  positive,
  referenceText,
  referenceUrl,
  seconds,
  span,
  strings,
  text,
} from '../fields.ts'

const name = text.check(
  z.refine((value) => value !== 'inherit', { error: 'must not be inherit: that word means the model of the lead' }),
)

export const models = list(
  entry({
    name: name,
    use: optional(moduleExport),
    model: referenceText,
    base_url: optional(referenceUrl),
    api_key: optional(referenceText),
    max_retries: count(2, 0, 10),
    connect_timeout_seconds: seconds(10),
    first_byte_timeout_seconds: optional(span),
    stream_idle_timeout_seconds: seconds(60),
    timeout_seconds: seconds(600),
    context_window: optional(positive),
    reasoning_replay: z._default(
      z.union([z.literal('auto'), z.boolean()], { error: 'must be auto, true or false' }),
      'auto',
    ),
    fallbacks: z._default(strings, []),
  }),
)
