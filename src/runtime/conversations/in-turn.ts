/** Pieces of work on files at once, of all conversations: a thousand runs that begin must not use up the process's files. */
const AT_ONCE = 64

const waiting: (() => void)[] = []
let busy = 0

/** Does the work when it is its turn. */
export const inTurn = async <T>(work: () => Promise<T>): Promise<T> => {
  if (busy < AT_ONCE) busy++
  else await new Promise<void>((go) => waiting.push(go))
  try {
    return await work()
  } finally {
    const next = waiting.shift()
    if (next) next()
    else busy--
  }
}
