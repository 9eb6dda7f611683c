import { STATUS_CODES } from 'node:http'
import { type ErrorData, messageOf } from '../contract/errors.ts'
import { RESPONSE_BYTES_MAX } from '../contract/limits.ts'
import type { ModelSettings } from '../contract/settings.ts'
import { providerWordsIn } from './provider-error.ts'

/** Keys shorter than this are placeholders such as `none`, and words of ordinary messages. */
const KEY_CHARS_MIN = 8

/** The one way a model call fails: says whose it is, and never repeats a key that a provider echoed. */
export const modelFailed = ({ name, apiKey }: ModelSettings, words: string): ErrorData => {
  const key = apiKey?.trim() ?? ''
  const safe = key.length >= KEY_CHARS_MIN ? words.replaceAll(key, '[api_key]') : words
  return { code: 'MODEL_FAILED', message: `Model "${name}": ${safe}` }
}

export const modelUnset = ({ name, unset }: ModelSettings): ErrorData | null =>
  unset && {
    code: 'ENV_UNSET',
    message: `Model "${name}" needs the environment variable ${unset.variable}, which is not set (named at ${unset.path})`,
  }

/** A status other than 2xx. The hints name the config key to look at first. */
export const httpWords = (status: number, body: string): string => {
  const phrase = STATUS_CODES[status]
  const words = providerWordsIn(body)
  const hint = STATUS_HINTS.get(status) ?? (status >= 300 && status < 400 ? 'the endpoint moved; see base_url' : '')
  return `HTTP ${status}${phrase ? ` ${phrase}` : ''}${words && `: ${words}`}${hint && ` (${hint})`}`
}

const STATUS_HINTS = new Map([
  [401, 'see api_key'],
  [403, 'see api_key'],
  [404, 'see base_url and model'],
  [405, 'see base_url'],
])

/** A connection that could not be made, or that ended before any answer. */
export const connectionWords = (error: unknown, address: string): string => {
  const code = codeOf(error)
  const words = CONNECTION_WORDS.get(code)
  if (words !== undefined) return `${words.replace('{address}', address)} (${code}; see base_url)`
  if (code.startsWith('HPE_')) return `${address} answered something that is not HTTP (${code}; see base_url)`
  return `the connection to ${address} failed: ${messageOf(error)} (see base_url)`
}

const CONNECTION_WORDS = new Map([
  ['ECONNREFUSED', 'nothing listens at {address}'],
  ['ENOTFOUND', 'the host of {address} does not exist'],
  ['EAI_AGAIN', 'the host of {address} could not be looked up'],
  ['ETIMEDOUT', '{address} did not accept a connection in time'],
  ['EHOSTUNREACH', '{address} cannot be reached'],
  ['ENETUNREACH', '{address} cannot be reached'],
  ['ECONNRESET', '{address} closed the connection before it answered'],
  ['EPIPE', '{address} closed the connection before it answered'],
  ['EPROTO', '{address} does not speak TLS'],
])

export const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : ''

export const TOO_LARGE = `the answer is larger than ${RESPONSE_BYTES_MAX / (1024 * 1024)} MiB`
export const CUT_SHORT = 'the answer was cut short: the stream ended before the model had finished'
export const EMPTY_ANSWER = 'the endpoint answered without any content (see base_url)'
export const NO_MESSAGE = 'the endpoint answered JSON that holds no message (see base_url)'
export const CLOSED = 'the model client is closed'

export const lostWords = (address: string): string => `the answer was cut short: ${address} lost the connection`

export const stalledWords = (idleMs: number): string =>
  `nothing came for ${idleMs / 1000} s (stream_idle_timeout_seconds)`

export const notJsonWords = (data: string): string =>
  `the answer held something that is not JSON: ${data.slice(0, 200)}`
