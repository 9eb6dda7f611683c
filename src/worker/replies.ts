/** Who on this thread waits for which answer of the host. An answer nobody waits for any more is dropped. */
export interface Replies<Key, Answer> {
  expect(key: Key, done: (answer: Answer) => void): void
  forget(key: Key): void
  arrived(key: Key, answer: Answer): void
}

export const createReplies = <Key, Answer>(): Replies<Key, Answer> => {
  const waiting = new Map<Key, (answer: Answer) => void>()
  return {
    expect: (key, done) => void waiting.set(key, done),
    forget: (key) => void waiting.delete(key),
    arrived(key, answer) {
      const done = waiting.get(key)
      waiting.delete(key)
      done?.(answer)
    },
  }
}

/** The key under which a lead waits for one of its delegations. */
export const delegationKey = (slot: number, generation: number, callId: string): string =>
  `${slot}:${generation}:${callId}`
