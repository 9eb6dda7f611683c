import { DURABLE_TEXT_MAX } from '../contract/limits.ts'
import type { ModelCall } from '../models/port.ts'
import { bound, isBlank } from '../policy/bound.ts'
import { isDue, type Split, splitTranscript } from '../policy/compaction.ts'
import { summaryRequest } from '../policy/summary-request.ts'
import { type Agent, NOTHING_IN_FLIGHT, tellWarning } from './agent.ts'
import { countCall, showCounters, transcriptChars } from './spend.ts'
import { stopEvent, stopIfAsked } from './stop.ts'
import { shortenTranscript } from './transcript.ts'

/** Messages by which a transcript must have grown before a compaction that failed is tried again. */
const RETRY_MESSAGES = 10

/** What a compaction would part, if one is due. */
const splitOf = (agent: Agent): Split | null => {
  const { transcript, summary, watch } = agent
  const rules = agent.envelope.guards.compaction
  if (rules === null || transcript.length < watch.compactFrom) return null
  const isLong = watch.tooLong || isDue(rules, transcript.length, () => transcriptChars(agent), summary)
  return isLong ? splitTranscript(transcript, rules.keep) : null
}

export const mustCompact = (agent: Agent): boolean => splitOf(agent) !== null

/** For a transcript that the provider calls too long, whatever the triggers say. Whether that leaves anything to do. */
export const forceCompaction = (agent: Agent): boolean => {
  agent.watch.tooLong = true
  return mustCompact(agent)
}

/** Lets a model write the summary that takes the place of what came first. Without one, nothing is touched. */
export const compact = (agent: Agent, step: number): void => {
  const split = splitOf(agent)
  const done = (): void => agent.actor.send({ type: 'COMPACTED', step })
  const next = (reason: string, [name, ...others]: readonly string[]): void => {
    const stop = stopEvent(agent)
    if (stop) {
      agent.actor.send({ type: stop })
    } else if (split && name !== undefined) {
      summarize(agent, name, split, done, (why) => next(why, others))
    } else {
      giveUp(agent, reason)
      done()
    }
  }
  next('', modelsOf(agent))
}

/** The model that the config names, then the agent's own. */
const modelsOf = ({ envelope: { guards, model } }: Agent): readonly string[] => [
  ...new Set([guards.compaction?.model ?? model, model]),
]

const summarize = (
  agent: Agent,
  name: string,
  { past, kept }: Split,
  done: () => void,
  failed: (why: string) => void,
): void => {
  const { toolbox, thread, envelope, summary } = agent
  const model = toolbox.model(name)
  const rules = envelope.guards.compaction
  if (!model || !rules) {
    failed(`Model ${name} not found in config`)
    return
  }
  const { system, content } = summaryRequest(past, summary, rules.trimTokens, rules.prompt)
  const request: ModelCall = {
    model,
    system,
    messages: [{ role: 'user', content }],
    note: null,
    tools: [],
    traceparent: envelope.traceparent,
    fallbacks: toolbox.fallbacks(model),
    deadlineAt: envelope.deadlineAt,
  }
  agent.abort = thread.stream(request, {
    text: () => {},
    retrying: ({ message }) => tellWarning(agent, 'retry', message),
    mayStart: () => !stopIfAsked(agent),
    done: (reply) => {
      agent.abort = NOTHING_IN_FLIGHT
      countCall(agent, request, () => content.length, reply)
      showCounters(agent)
      const why = reply.incomplete?.message ?? (isBlank(reply.text) ? `Model "${name}": the summary was blank` : null)
      if (why !== null) {
        failed(why)
        return
      }
      shorten(agent, kept, reply.text)
      done()
    },
    failed: ({ message }) => {
      agent.abort = NOTHING_IN_FLIGHT
      failed(message)
    },
  })
}

const shorten = (agent: Agent, kept: Split['kept'], summary: string): void => {
  shortenTranscript(agent, bound(summary.trim(), DURABLE_TEXT_MAX), kept)
  agent.watch.measure = null
  agent.watch.tooLong = false
  // Not again before the transcript has grown, whatever is left of it.
  agent.watch.compactFrom = kept.length + 1
}

const giveUp = (agent: Agent, reason: string): void => {
  const { watch, transcript } = agent
  watch.compactFrom = transcript.length + RETRY_MESSAGES
  watch.tooLong = false
  if (watch.compactionWarned) return
  watch.compactionWarned = true
  tellWarning(
    agent,
    'summarization_unavailable',
    `The transcript could not be summarized and stays as it is. ${reason}`,
  )
}
