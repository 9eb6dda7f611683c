import { AsyncLocalStorage } from 'node:async_hooks'

/** The call that started what runs now, however long ago it was answered. */
export interface Owner {
  readonly id: number
  readonly tool: string
}

const owners = new AsyncLocalStorage<Owner>()

export const asOwner = <T>(owner: Owner, run: () => T): T => owners.run(owner, run)

/**
 * Reports what nobody caught with the call it stems from: a timer that one call left behind may throw while the next one
 * runs, which is then not to blame. As in plain Node, a rejection that nobody handles counts as an exception.
 */
export const watchFaults = (onFault: (thrown: unknown, owner: Owner | undefined) => void): void => {
  process.on('uncaughtException', (thrown) => onFault(thrown, owners.getStore()))
  process.on('unhandledRejection', (thrown) => onFault(thrown, owners.getStore()))
}
