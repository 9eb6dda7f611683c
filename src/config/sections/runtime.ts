import { count, integer, optional, section, text } from '../fields.ts'

/** `null` for threads and tool processes: as many as the machine's cores allow. */
export const runtime = section({
  threads: optional(integer(1, 64)),
  agents_per_thread: count(500, 1, 100_000),
  tool_processes: optional(integer(1, 256)),
  tool_memory_mb: count(512, 32, 1_048_576),
  commands: count(128, 1, 10_000),
  grace_ms: count(2000, 0, 600_000),
  wedged_ms: count(10_000, 500, 3_600_000),
})

export const memory = section({ path: optional(text) })

export const skills = section({ path: optional(text) })
