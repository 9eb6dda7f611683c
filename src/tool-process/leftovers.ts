const POLL_MS = 20

/** How many timers, sockets and the like keep this process busy now. */
export const openResources = (): number => process.getActiveResourcesInfo().length

/**
 * Waits until no more is open than before. A tool made by LangChain settles as soon as its signal aborts, while the
 * function inside goes on: without this the next call would share the process with the leavings of the last.
 */
export const whenTidy = (before: number, then: () => void): void => {
  const poll = setInterval(() => {
    if (openResources() > before) return
    clearInterval(poll)
    then()
  }, POLL_MS)
  // An unref'd timer does not count as open.
  poll.unref()
}
