import type { StopReason } from '../contract/status.ts'

/** Which guard stopped an agent that still asked for tools, and what it saw. */
export interface Cap {
  readonly reason: StopReason
  readonly why: string
}

const TAGS: Readonly<Record<StopReason, string>> = {
  loop_capped: '[FORCED STOP]',
  token_capped: '[TOKEN BUDGET EXCEEDED]',
  turn_capped: '[TURN LIMIT REACHED]',
}

/** What was seen, under the tag of its guard. */
export const capNote = ({ reason, why }: Cap): string => `${TAGS[reason]} ${why.replace(/\.?$/, '.')}`

/** What asks a capped agent for its answer; never part of it. */
export const wrapUpNote = (cap: Cap): string =>
  `${capNote(cap)} No tool runs any more, and what you asked for last did not run. Give your final answer now, from what you have found so far; say plainly what is left undone.`

/** The answer to a call that a cap kept from running, since no call may stay open. */
export const NOT_RUN = 'Not run: limit reached'
