/** Names a call that runs outside its thread: threads number their calls each for itself. */
export const callKey = (thread: number, key: number): string => `${thread}:${key}`
