/** Why a path was not used. The codes of the system keep their meaning here, so that one table explains both. */
export interface Refusal extends Error {
  readonly code: string
}

/** The sandbox's own codes: the path may not be used, what is there is no file, or is more than was asked for. */
export const DENIED = 'DENIED'
export const IRREGULAR = 'IRREGULAR'
export const TOO_LARGE = 'TOO_LARGE'

export const refusal = (code: string, reason: string): Refusal => Object.assign(new Error(reason), { code })

export const denied = (reason: string): Refusal => refusal(DENIED, reason)
