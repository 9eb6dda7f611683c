/** How an agent ended. `needs_input` is the lead's alone: it asked the user a question. */
export type TerminalStatus = 'completed' | 'failed' | 'cancelled' | 'timed_out' | 'needs_input'

/** Which guard ended an agent that was still making tool calls. */
export type StopReason = 'turn_capped' | 'token_capped' | 'loop_capped'

/** Why the host asks an agent to stop. */
export type StopCause = 'cancel' | 'deadline' | 'close'
