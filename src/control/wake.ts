import { type Layout, ThreadWord } from './layout.ts'

/**
 * Waking a thread that sits in its event loop. One waiter per thread, not per agent: it waits for the epoch to move on
 * from the value it last saw, so a wake between two waits is never lost.
 */
export interface WakeVerbs {
  wake(thread: number): void
  epoch(thread: number): number
  /** Resolves once the epoch is no longer `seen`. Keeps no event loop alive. */
  moved(thread: number, seen: number): Promise<unknown>
  beat(thread: number): void
  beats(thread: number): number
}

export const wakeVerbs = (words: Int32Array, at: Layout): WakeVerbs => ({
  wake(thread) {
    const index = at.thread(thread, ThreadWord.epoch)
    Atomics.add(words, index, 1)
    Atomics.notify(words, index)
  },
  epoch: (thread) => Atomics.load(words, at.thread(thread, ThreadWord.epoch)),
  async moved(thread, seen) {
    await Atomics.waitAsync(words, at.thread(thread, ThreadWord.epoch), seen).value
  },
  beat: (thread) => void Atomics.add(words, at.thread(thread, ThreadWord.beats), 1),
  beats: (thread) => Atomics.load(words, at.thread(thread, ThreadWord.beats)),
})
