import * as z from 'zod/mini'
import { integer, number, optional, positive } from '../fields.ts'

/** `null` everywhere: which default holds depends on whose budget it is and on what stands above it. */
export const budgetShape = {
  enabled: optional(z.boolean()),
  max_tokens: optional(integer(1000)),
  max_input_tokens: optional(positive),
  max_output_tokens: optional(positive),
  warn_threshold: optional(number(0, 1)),
  hard_stop_threshold: optional(number(0, 1)),
}
