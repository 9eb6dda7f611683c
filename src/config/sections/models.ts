import * as z from 'zod/mini'
import {
  count,
  entry,
  label,
  list,
  moduleExport,
  optional,
  positive,
  referenceLabel,
  referenceSecret,
  referenceUrl,
  seconds,
  span,
  strings,
} from '../fields.ts'

const name = label.check(
  z.refine((value) => value !== 'inherit', { error: 'must not be inherit: that word means the model of the lead' }),
)

export const models = list(
  entry({
    name,
    use: optional(moduleExport),
    model: referenceLabel,
    base_url: optional(referenceUrl),
    api_key: optional(referenceSecret),
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
