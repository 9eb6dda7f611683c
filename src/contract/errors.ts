export type ErrorCode =
  | 'CONFIG_INVALID'
  | 'ENV_UNSET'
  | 'OPTIONS_INVALID'
  | 'RUNTIME_CLOSED'
  | 'THREAD_BUSY'
  | 'MODEL_FAILED'
  | 'MODEL_EMPTY'
  | 'TIMED_OUT'
  | 'CANCELLED'
  | 'CAPPED'
  | 'THREAD_LOST'
  | 'INTERNAL'

/** An error as data: structured clone drops `name` and `code` of an Error, so this is what crosses threads. */
export interface ErrorData {
  readonly code: ErrorCode
  readonly message: string
}

/** One thing wrong with the config; `path` is dotted, as in `models.0.api_key`. */
export interface Problem {
  readonly level: 'error' | 'warning'
  readonly path: string
  readonly code: string
  readonly message: string
  /** The known key or name that comes closest to the one written. */
  readonly nearest?: string
}

/** Every error that Troupe throws. Test `code`, not the class: realms differ. */
export class TroupeError extends Error {
  override readonly name = 'TroupeError'
  readonly code: ErrorCode
  /** What is wrong with the config, when `code` is `CONFIG_INVALID`. */
  readonly problems: readonly Problem[]

  constructor(code: ErrorCode, message: string, options: { problems?: readonly Problem[]; cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.problems = options.problems ?? []
  }
}

/** The message of whatever was thrown, never blank. */
export const messageOf = (thrown: unknown): string => {
  if (thrown instanceof Error) return thrown.message || thrown.name
  if (typeof thrown === 'object' && thrown !== null && 'message' in thrown) return String(thrown.message)
  return `threw ${String(thrown)}`
}

/** The code of an error of the system or of Node, such as `ENOENT`. */
export const codeOf = (thrown: unknown): string | undefined => {
  const code = thrown instanceof Error && 'code' in thrown ? thrown.code : undefined
  return typeof code === 'string' ? code : undefined
}
