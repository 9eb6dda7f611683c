/** Words that two racing threads share, beside the slab they race for. */
export const RaceWord = {
  round: 0,
  ready: 1,
  go: 2,
  done: 3,
  spins: 4,
  slot: 5,
  generation: 6,
  won: 7,
  plain: 8,
} as const

export const allocateRace = (): Int32Array<SharedArrayBuffer> =>
  new Int32Array(new SharedArrayBuffer(Object.keys(RaceWord).length * Int32Array.BYTES_PER_ELEMENT))

/** Waits for a word to become `value`: on the spot, so that both leave at once, but not for ever on a busy machine. */
export const meet = (words: Int32Array<SharedArrayBuffer>, word: number, value: number): void => {
  const end = performance.now() + 10_000
  for (let spins = 0; Atomics.load(words, word) !== value; spins++) {
    if (spins < 5000) continue
    if (performance.now() > end) throw new Error('the other side did not come')
    Atomics.wait(words, word, Atomics.load(words, word), 1)
  }
}

export const spin = (words: Int32Array<SharedArrayBuffer>, times: number): void => {
  for (let n = 0; n < times; n++) Atomics.load(words, RaceWord.go)
}
