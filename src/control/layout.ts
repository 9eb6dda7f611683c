/** Where each word of the slab lies. Private to this folder: everyone else speaks the verbs of `control.ts`. */

const HEADER_WORDS = 2
const THREAD_WORDS = 4
/** 32 bytes, so that a slot never straddles two cache lines. */
const SLOT_WORDS = 8
/** Providers that can be told apart; of more, some pause together. */
export const COOLDOWNS = 64
const COOLDOWN_WORDS = 4

const HeaderWord = { threads: 0, slots: 1 } as const
export const ThreadWord = { epoch: 0, beats: 1 } as const
export const SlotWord = { status: 0, stop: 1, turns: 2, inputTokens: 3, outputTokens: 4, lastTool: 5 } as const
export const CooldownWord = { key: 0, until: 1, tickets: 2 } as const

export interface Layout {
  readonly threads: number
  readonly slots: number
  thread(thread: number, word: number): number
  slot(slot: number, word: number): number
  cooldown(place: number, word: number): number
}

const THREAD_BASE = HEADER_WORDS + COOLDOWNS * COOLDOWN_WORDS

const wordsOf = (threads: number, slots: number): number => THREAD_BASE + threads * THREAD_WORDS + slots * SLOT_WORDS

export const allocateWords = (threads: number, slots: number): Int32Array => {
  const buffer = new SharedArrayBuffer(wordsOf(threads, slots) * Int32Array.BYTES_PER_ELEMENT)
  const words = new Int32Array(buffer)
  words[HeaderWord.threads] = threads
  words[HeaderWord.slots] = slots
  return words
}

export const layoutOf = (words: Int32Array): Layout => {
  const threads = words[HeaderWord.threads] ?? 0
  const slots = words[HeaderWord.slots] ?? 0
  const slotBase = THREAD_BASE + threads * THREAD_WORDS
  return {
    threads,
    slots,
    thread: (thread, word) => THREAD_BASE + thread * THREAD_WORDS + word,
    slot: (slot, word) => slotBase + slot * SLOT_WORDS + word,
    cooldown: (place, word) => HEADER_WORDS + place * COOLDOWN_WORDS + word,
  }
}

/** A tagged word: the generation that owns it, and a small code. One swap checks both. */
export const tagged = (generation: number, code: number): number => (generation << 4) | code
export const codeOf = (word: number): number => word & 0xf
export const generationOf = (word: number): number => word >>> 4
/** Generations wrap here; a slot would have to be reused this often while one stale writer sleeps. */
export const GENERATION_LIMIT = 1 << 27
