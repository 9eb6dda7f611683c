import * as z from 'zod/mini'
import {
  count,
  entry,
  flag,
  label,
  list,
  map,
  moduleExport,
  optional,
  positive,
  referenceSecret,
  referenceUrl,
  seconds,
  section,
  strings,
} from '../fields.ts'

const toolName = z
  .string()
  .check(
    z.regex(/^[A-Za-z0-9_-]{1,64}$/, { error: 'must be 1 to 64 letters, digits, "_" or "-", as model providers ask' }),
  )

export const tools = list(
  entry({
    name: toolName,
    group: optional(label),
    use: moduleExport,
    placement: z._default(z.enum(['isolated', 'worker']), 'isolated'),
    timeout_seconds: seconds(300),
    deferred: flag(false),
  }),
)

export const toolSearch = section({ enabled: flag(false), auto_promote_top_k: count(3, 1, 5) })

export const toolOutput = section({
  enabled: flag(true),
  externalize_min_chars: count(12_000, 0),
  preview_head_chars: count(2000, 0),
  preview_tail_chars: count(1000, 0),
  fallback_max_chars: count(30_000, 0),
  fallback_head_chars: count(8000, 0),
  fallback_tail_chars: count(3000, 0),
  storage_subdir: z._default(
    z.string().check(z.regex(/^(?!\.{1,2}$)[\w.-]+$/, { error: 'must be the name of one folder' })),
    '.tool-results',
  ),
  exempt_tools: z._default(strings, ['read_file']),
  tool_overrides: map(count(0, 0)),
})

export const web = section({
  enabled: flag(false),
  timeout_seconds: seconds(30),
  max_chars: z._default(positive, 50_000),
  allow_private: flag(false),
  search: section({ url: optional(referenceUrl), api_key: optional(referenceSecret), max_results: count(5, 1, 50) }),
})
