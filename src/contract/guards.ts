/** What keeps one agent from running on for nothing. Plain data: it travels with the agent to its thread. */
export interface AgentGuards {
  /** Whether an agent at a cap gets one last call without tools to say what it found. */
  readonly wrapUp: boolean
  /** `null`: repeated calls are not looked for. */
  readonly loop: LoopLimits | null
  /** `null`: it may spend what it likes. */
  readonly budget: TokenBudget | null
  /** `null`: its transcript is never made shorter. */
  readonly compaction: CompactionRules | null
}

export interface LoopLimits {
  /** How often the same calls may come within the window until a warning, and until the end. */
  readonly warn: number
  readonly hard: number
  /** Responses that are looked back on. */
  readonly window: number
  /** The same for calls of one tool, whatever their arguments. */
  readonly toolWarn: number
  readonly toolHard: number
  readonly overrides: Readonly<Record<string, { readonly warn: number; readonly hard: number }>>
}

export interface TokenBudget {
  readonly maxTokens: number
  /** `null`: no limit of its own. */
  readonly maxInputTokens: number | null
  readonly maxOutputTokens: number | null
  /** The part that is used, from 0 to 1, when a warning comes, and when the agent ends. */
  readonly warnAt: number
  readonly stopAt: number
}

/** How much of a transcript. */
export interface TranscriptSize {
  readonly type: 'messages' | 'tokens'
  readonly value: number
}

export interface CompactionRules {
  /** It is due as soon as one of them is reached. */
  readonly triggers: readonly TranscriptSize[]
  /** What stays as it is. */
  readonly keep: TranscriptSize
  /** Name of the model that summarizes; `null`: the agent's own. */
  readonly model: string | null
  /** What the summary is asked with; `null`: Troupe's own words. */
  readonly prompt: string | null
  /** Tokens the summary is made from; `null`: all there are. */
  readonly trimTokens: number | null
}
