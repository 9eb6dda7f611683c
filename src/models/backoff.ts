/** The first wait is around this long, in milliseconds. */
const BASE_MS = 500
const CAP_MS = 20_000

/** Decorrelated jitter: each wait is chosen anew between the base and three times the last one, so that no two go together. */
export const nextBackoff = (lastMs: number, random: () => number): number => {
  const top = Math.max(BASE_MS, lastMs) * 3
  return Math.min(CAP_MS, BASE_MS + random() * (top - BASE_MS))
}

const SPREAD_MIN_MS = 250
const SPREAD_MAX_MS = 1000
/** The golden section: its multiples lie apart from one another, however many there are. */
const SECTION = 0.618_033_988_75

/** How long after a common pause of `waitMs` the one with this ticket comes back, so that not all do at one moment. */
export const spreadMs = (ticket: number, waitMs: number): number => {
  const width = Math.min(SPREAD_MAX_MS, Math.max(SPREAD_MIN_MS, waitMs / 2))
  return ((ticket * SECTION) % 1) * width
}
