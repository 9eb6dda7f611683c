/** Bounds that hold whatever the config says. */

/** Characters of any text inside an event that is not a final result. */
export const EVENT_TEXT_MAX = 8192
/** Characters of a result or error inside metadata, `delegations` and the ledger. */
export const BRIEF_MAX = 2000
/** Characters of `task_running.progress`. */
export const PROGRESS_MAX = 200
/** Characters of a section of what outlives a transcript: a summary, a ledger. */
export const DURABLE_TEXT_MAX = 6000
/** Bytes of one model response, counted before it is parsed. */
export const RESPONSE_BYTES_MAX = 16 * 1024 * 1024
/** Bytes a subscriber may be behind before its deltas are joined. */
export const SUBSCRIBER_BYTES_MAX = 1024 * 1024
/** Bytes of one run's event log. */
export const LOG_BYTES_MAX = 2 * 1024 * 1024
/** Agents that one `pool.run` carries. */
export const BATCH_MAX = 64
/** Milliseconds an agent has to end itself once it was asked to, before the host ends it; `grace_ms` if that is less. */
export const SETTLE_MS = 500
export const HEARTBEAT_MS = 250
/** Longest time in seconds that a config value may name. */
export const SECONDS_MAX = 31_536_000
