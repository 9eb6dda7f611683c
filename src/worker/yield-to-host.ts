import { readlinkSync } from 'node:fs'
import { setPriority } from 'node:os'

/** By the kernel's weights, about a tenth of what the embedder's thread gets when both want the same core. */
const NICE = 10

/**
 * Lets the embedder's event loop go first where there are fewer cores than there is work. On Linux alone: there a thread
 * has a priority of its own, which may always be lowered, and the commands it starts inherit it.
 */
export const yieldToHost = (): void => {
  if (process.platform !== 'linux') return
  try {
    const [thread] = readlinkSync('/proc/thread-self').split('/').slice(-1)
    setPriority(Number(thread), NICE)
  } catch {
    // Forbidden, or without /proc: then all threads are equal.
  }
}
