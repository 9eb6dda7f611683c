import type { ErrorData } from '../contract/errors.ts'
import type { ToolSpec } from '../contract/tools.ts'
import type { ModelReply, ModelRequest } from '../models/port.ts'
import { durableContext } from '../policy/durable-context.ts'
import { saysTooLong } from '../policy/provider-words.ts'
import { type Agent, addNote } from './agent.ts'
import { forceCompaction, mustCompact } from './compact.ts'
import { mayStillDelegate } from './delegate.ts'
import { judge } from './judge.ts'
import { modelSink } from './model-sink.ts'
import { countCall, transcriptChars } from './spend.ts'
import { stopEvent } from './stop.ts'
import { durableSections } from './transcript.ts'

/** Once the run's delegations are used up, `task` is no longer offered. Source: decision 7. */
const offeredTools = (agent: Agent): readonly ToolSpec[] =>
  agent.envelope.delegation && !mayStillDelegate(agent)
    ? agent.tools.filter(({ name }) => name !== 'task')
    : agent.tools

/** The next turn: one model call with every tool the agent may use. */
export const think = (agent: Agent, step: number): void => {
  if (mustCompact(agent)) {
    agent.actor.send({ type: 'TOO_LONG', step })
    return
  }
  callModel(
    agent,
    { tools: offeredTools(agent) },
    (reply, messageId, told) => agent.actor.send(judge(agent, step, reply, messageId, told)),
    (error, told) => {
      if (saysTooLong(error.message) && forceCompaction(agent)) {
        if (told !== null) addNote(agent, told)
        agent.actor.send({ type: 'TOO_LONG', step })
      } else agent.actor.send({ type: 'MODEL_FAILED', step, error })
    },
  )
}

export type ToolOffer = Pick<ModelRequest, 'tools' | 'toolChoice'>

/** One model call on the whole transcript. Its outcome also hears the note that went out with it. */
export const callModel = (
  agent: Agent,
  offer: ToolOffer,
  answered: (reply: ModelReply, messageId: string, note: string | null) => void,
  fail: (error: ErrorData, note: string | null) => void,
): void => {
  const { envelope, toolbox, note } = agent
  const model = toolbox.model(envelope.model)
  const stop = stopEvent(agent)
  if (stop) agent.actor.send({ type: stop })
  else if (!model) fail({ code: 'MODEL_FAILED', message: `Model ${envelope.model} not found in config` }, note)
  if (stop || !model) return
  const { system, traceparent, deadlineAt } = envelope
  const data = durableContext(durableSections(agent))
  const { transcript: messages } = agent
  const call = {
    model,
    system,
    data,
    messages,
    note,
    traceparent,
    deadlineAt,
    fallbacks: toolbox.fallbacks(model),
    ...offer,
  }
  agent.note = null
  const done = (reply: ModelReply, messageId: string): void => {
    countCall(agent, call, () => transcriptChars(agent), reply)
    answered(reply, messageId, note)
  }
  agent.abort = agent.thread.stream(
    call,
    modelSink(agent, done, (error) => fail(error, note)),
  )
}
