import type { Agent } from './agent.ts'
import type { Thread } from './thread.ts'

/** What an agent must be told if it is to stop. Two loads; every step boundary asks. */
export const stopEvent = ({ thread: { control }, envelope }: Agent): 'CANCEL' | 'DEADLINE' | null => {
  const cause = control.asked(envelope)
  if (cause) return cause === 'deadline' ? 'DEADLINE' : 'CANCEL'
  return control.closed(envelope.gate) ? 'CANCEL' : null
}

/** Whether it was, and so is. */
export const stopIfAsked = (agent: Agent): boolean => {
  const type = stopEvent(agent)
  if (type) agent.actor.send({ type })
  return type !== null
}

/** Ends what was asked to stop, all in one message to the host. */
const sweep = (thread: Thread): void => {
  for (const resident of [...thread.residents]) resident.stopIfAsked()
  thread.outbox.flush()
}

/**
 * Wakes with the thread's epoch, for as long as the thread lives. The epoch is read before the flags are scanned, so a
 * stop that comes during the scan moves it again and the next wait returns at once.
 */
export const watchStops = async (thread: Thread): Promise<never> => {
  for (let seen = thread.control.epoch(thread.index); ; seen = thread.control.epoch(thread.index)) {
    sweep(thread)
    await thread.control.moved(thread.index, seen)
  }
}
