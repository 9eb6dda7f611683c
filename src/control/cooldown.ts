import { COOLDOWNS, CooldownWord, type Layout } from './layout.ts'

/** No pause is longer: what seems to be was left by a clock that was wrong, or by an hour long past. */
export const PAUSE_MAX_MS = 60_000

/**
 * Pausing everyone who uses one provider key, on whichever thread. A key is a number other than 0 that names it; `now` is
 * in milliseconds since the epoch.
 */
export interface CooldownVerbs {
  /** Pauses the key for `ms`, unless it is paused for longer. */
  pause(key: number, now: number, ms: number): void
  /** Milliseconds until the key may be used; 0: now. */
  paused(key: number, now: number): number
  /** A number of its own for each who waits for the key, so that they need not all come back at one moment. */
  ticket(key: number): number
}

export const cooldownVerbs = (words: Int32Array, at: Layout): CooldownVerbs => {
  /** The key's place, or the first free one in its chain. A full table makes it share. */
  const placeOf = (key: number): number => {
    const first = (key >>> 0) % COOLDOWNS
    for (let step = 0; step < COOLDOWNS; step++) {
      const place = (first + step) % COOLDOWNS
      const holder = Atomics.load(words, at.cooldown(place, CooldownWord.key))
      if (holder === key || holder === 0) return place
    }
    return first
  }

  const claim = (key: number): number => {
    for (;;) {
      const place = placeOf(key)
      const holder = Atomics.compareExchange(words, at.cooldown(place, CooldownWord.key), 0, key)
      // Another key that was faster has taken the place: look on.
      if (holder === 0 || holder === key || placeOf(key) === place) return place
    }
  }

  // Times are kept in 32 bits, which wrap: only their difference counts.
  const leftAt = (place: number, now: number): number => {
    const left = (Atomics.load(words, at.cooldown(place, CooldownWord.until)) - Math.round(now)) | 0
    return left > 0 && left <= PAUSE_MAX_MS ? left : 0
  }

  const isFree = (place: number): boolean => Atomics.load(words, at.cooldown(place, CooldownWord.key)) === 0

  return {
    pause(key, now, ms) {
      const place = claim(key)
      const index = at.cooldown(place, CooldownWord.until)
      const length = Math.min(Math.ceil(ms), PAUSE_MAX_MS)
      for (;;) {
        const known = Atomics.load(words, index)
        if (leftAt(place, now) >= length) return
        if (Atomics.compareExchange(words, index, known, (Math.round(now) + length) | 0) === known) return
      }
    },
    paused(key, now) {
      const place = placeOf(key)
      return isFree(place) ? 0 : leftAt(place, now)
    },
    ticket: (key) => Atomics.add(words, at.cooldown(claim(key), CooldownWord.tickets), 1),
  }
}
