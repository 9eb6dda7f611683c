import type { ErrorData } from '../contract/errors.ts'
import type { CallSink, ModelReply } from '../models/port.ts'
import { type Agent, NOTHING_IN_FLIGHT, tellEvent } from './agent.ts'
import { stopIfAsked } from './stop.ts'

/**
 * Hears one model call for an agent: its text goes out as it streams, under an id that an attempt which failed gives up.
 */
export const modelSink = (
  agent: Agent,
  answered: (reply: ModelReply, messageId: string) => void,
  fail: (error: ErrorData) => void,
): CallSink => {
  const { thread, envelope } = agent
  const task = envelope.taskId === null ? {} : { task_id: envelope.taskId }
  let messageId = `m${++agent.messages}`
  let spoke = false
  const discard = (): void => {
    if (spoke) tellEvent(agent, 'message_discarded', { message_id: messageId, ...task })
    spoke = false
    agent.writing = ''
  }
  return {
    text: (delta) => {
      agent.writing += delta
      if (!envelope.deltas) return
      spoke = true
      thread.outbox.delta(envelope.slot, envelope.generation, messageId, delta)
    },
    retrying: ({ message }) => {
      discard()
      messageId = `m${++agent.messages}`
      tellEvent(agent, 'warning', { code: 'retry', message, ...task })
    },
    mayStart: () => !stopIfAsked(agent),
    done: (reply, { name }) => {
      agent.answeredBy = name
      agent.writing = ''
      agent.abort = NOTHING_IN_FLIGHT
      answered(reply, messageId)
    },
    failed: ({ code, message }) => {
      agent.abort = NOTHING_IN_FLIGHT
      discard()
      fail({ code, message })
    },
  }
}
