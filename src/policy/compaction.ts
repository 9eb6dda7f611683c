import type { CompactionRules, TranscriptSize } from '../contract/guards.ts'
import type { Message } from '../contract/messages.ts'
import { charsOf, tokensOf } from './usage-estimate.ts'

interface Size {
  readonly type: 'messages' | 'tokens' | 'fraction'
  readonly value: number
}

/** What a config says of compaction. */
export interface CompactionKeys {
  readonly enabled: boolean
  readonly model_name: string | null
  readonly trigger: Size | readonly Size[] | null
  readonly keep: Size
  readonly trim_tokens_to_summarize: number | null
  readonly summary_prompt: string | null
}

const KEEP: TranscriptSize = { type: 'messages', value: 20 }

/** A part of the context window as tokens; `null` where the window is not known. */
const absolute = ({ type, value }: Size, window: number | null): TranscriptSize | null => {
  if (type !== 'fraction') return { type, value }
  return window === null ? null : { type: 'tokens', value: Math.floor(value * window) }
}

const isList = (trigger: Size | readonly Size[]): trigger is readonly Size[] => Array.isArray(trigger)

/** The rules for an agent whose model has this context window; `null` if its transcript is never compacted. */
export const compactionRules = (keys: CompactionKeys, window: number | null): CompactionRules | null => {
  const { enabled, trigger } = keys
  if (!enabled || trigger === null) return null
  const triggers = (isList(trigger) ? trigger : [trigger]).flatMap((size) => absolute(size, window) ?? [])
  if (triggers.length === 0) return null
  return {
    triggers,
    keep: absolute(keys.keep, window) ?? KEEP,
    model: keys.model_name,
    prompt: keys.summary_prompt,
    trimTokens: keys.trim_tokens_to_summarize,
  }
}

/** Whether a transcript has reached one of its triggers. A summary that stands already counts as one more message. */
export const isDue = (
  { triggers }: CompactionRules,
  messages: number,
  chars: () => number,
  summary: string | null,
): boolean =>
  triggers.some(({ type, value }) =>
    type === 'messages'
      ? messages + (summary === null ? 0 : 1) >= value
      : tokensOf(chars() + (summary?.length ?? 0)) >= value,
  )

export interface Split {
  /** What the summary is to stand for. */
  readonly past: readonly Message[]
  readonly kept: readonly Message[]
}

/** Which messages are kept: no call without its results, and always the latest message of the user. `null`: nothing would go. */
export const splitTranscript = (messages: readonly Message[], keep: TranscriptSize): Split | null => {
  const { type, value } = keep
  const cut = wholeCalls(messages, type === 'messages' ? Math.max(0, messages.length - value) : cutAt(messages, value))
  const latest = messages.findLastIndex(({ role }) => role === 'user')
  const past = messages.slice(0, cut).filter((_, i) => i !== latest)
  if (past.length === 0) return null
  const user = latest >= 0 && latest < cut ? messages.slice(latest, latest + 1) : []
  return { past, kept: [...user, ...messages.slice(cut)] }
}

/** Before the messages at the end that have so many tokens. */
const cutAt = (messages: readonly Message[], tokens: number): number => {
  let chars = 0
  for (let cut = messages.length; cut > 0; cut--) {
    const message = messages[cut - 1]
    if (message) chars += charsOf(message)
    if (tokensOf(chars) > tokens) return cut
  }
  return 0
}

/** A cut between a call and its result moves back before the call; where the call is missing, forward past the results. */
const wholeCalls = (messages: readonly Message[], cut: number): number => {
  if (messages[cut]?.role !== 'tool') return cut
  let call = cut
  while (messages[call]?.role === 'tool') call--
  if (messages[call]?.role === 'assistant') return call
  let next = cut
  while (messages[next]?.role === 'tool') next++
  return next
}
