import { STATUS_CODES } from 'node:http'
import { codeOf, type ErrorData, messageOf } from '../contract/errors.ts'
import { RESPONSE_BYTES_MAX } from '../contract/limits.ts'
import type { ModelSettings } from '../contract/settings.ts'
import type { ModelFailure } from './port.ts'
import { type ProviderError, providerError, providerErrorIn } from './provider-error.ts'
import { type ReadHeader, retryAfterMs } from './retry-after.ts'

/** What went wrong with one request, before it is said whose it was. */
export interface Fault extends Omit<ModelFailure, keyof ErrorData> {
  readonly words: string
}

/** A fault that the same request will meet again. */
export const lasting = (words: string): Fault => ({ words, retryable: false, status: null, retryAfterMs: null })

/** A fault that may have passed when the request is sent again. */
export const passing = (words: string): Fault => ({ words, retryable: true, status: null, retryAfterMs: null })

/** Keys shorter than this are placeholders such as `none`, and words of ordinary messages. */
const KEY_CHARS_MIN = 8

/** The one way a model call fails: says whose it is, and never repeats a key that a provider echoed. */
export const modelFailed = ({ name, apiKey }: ModelSettings, { words, ...fault }: Fault): ModelFailure => {
  const key = apiKey?.trim() ?? ''
  const safe = key.length >= KEY_CHARS_MIN ? words.replaceAll(key, '[api_key]') : words
  return { code: 'MODEL_FAILED', message: `Model "${name}": ${safe}`, ...fault }
}

const mayBeLeftOut = (path: string, use: ModelSettings['use']): string =>
  use === null && path.endsWith('.base_url') ? '; left out, base_url is https://api.openai.com/v1' : ''

export const modelUnset = ({ name, use, unset }: ModelSettings): ModelFailure | null =>
  unset && {
    code: 'ENV_UNSET',
    message: `Model "${name}" needs the environment variable ${unset.variable}, which is not set (named at ${unset.path}${mayBeLeftOut(unset.path, use)})`,
    retryable: false,
    status: null,
    retryAfterMs: null,
  }

/** Statuses after which the same request may succeed: those of the standard, of overloaded models and of Cloudflare. */
const PASSING = new Set([408, 409, 425, 429, 500, 502, 503, 504, 520, 521, 522, 523, 524, 529])
const NEVER = new Set([400, 401, 402, 403])

const mayPass = (status: number, { isQuota }: ProviderError, header: ReadHeader): boolean => {
  if (NEVER.has(status) || (isQuota && header('retry-after') === undefined)) return false
  const told = header('x-should-retry')
  return told === undefined ? PASSING.has(status) : told === 'true'
}

/** A status other than 2xx. The hints name the config key to look at first. */
export const httpFault = (status: number, body: string, header: ReadHeader, now: number): Fault => {
  const phrase = STATUS_CODES[status]
  const error = providerErrorIn(body)
  const hint = STATUS_HINTS.get(status) ?? (status >= 300 && status < 400 ? 'the endpoint moved; see base_url' : '')
  return {
    words: `HTTP ${status}${phrase ? ` ${phrase}` : ''}${error.words && `: ${error.words}`}${hint && ` (${hint})`}`,
    retryable: mayPass(status, error, header),
    status,
    retryAfterMs: retryAfterMs(header, now),
  }
}

const STATUS_HINTS = new Map([
  [401, 'see api_key'],
  [403, 'see api_key'],
  [404, 'see base_url and model'],
  [405, 'see base_url'],
])

/** An error that came inside an answer which had begun well. One that names no status is the provider's own trouble. */
export const errorInAnswer = (error: unknown): Fault => faultOf(providerError(error))
export const errorTextInAnswer = (text: string): Fault => faultOf(providerErrorIn(text))

const faultOf = (error: ProviderError): Fault => {
  const { words, status, isQuota } = error
  return { words, retryable: !isQuota && (status === null || PASSING.has(status)), status, retryAfterMs: null }
}

/** A connection that could not be made, or that ended before any answer. */
export const connectionFault = (error: unknown, address: string): Fault => {
  const code = codeOf(error) ?? ''
  const words = CONNECTION_WORDS.get(code)
  if (code.startsWith('HPE_')) return lasting(`${address} answered something that is not HTTP (${code}; see base_url)`)
  const fault = LASTING_CODES.test(code) ? lasting : passing
  if (words === undefined) return fault(`the connection to ${address} failed: ${messageOf(error)} (see base_url)`)
  return fault(`${words.replace('{address}', address)} (${code}; see base_url)`)
}

/** A host that does not exist, certificates and TLS, and what Node itself refuses to send. */
const LASTING_CODES = /^ENOTFOUND$|^EPROTO$|^ERR_|CERT|SIGNATURE/

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

export const TOO_LARGE = lasting(`the answer is larger than ${RESPONSE_BYTES_MAX / (1024 * 1024)} MiB`)
export const CUT_SHORT = passing('the answer was cut short: the stream ended before the model had finished')
export const EMPTY_ANSWER = passing('the endpoint answered without any content (see base_url)')
export const NO_MESSAGE = lasting('the endpoint answered JSON that holds no message (see base_url)')
export const WEB_PAGE = lasting('the endpoint answered a web page and no answer of a model (see base_url)')
export const CLOSED = lasting('the model client is closed')

export const lostFault = (address: string): Fault => passing(`the answer was cut short: ${address} lost the connection`)

export const notJsonFault = (data: string): Fault =>
  passing(`the answer held something that is not JSON: ${data.slice(0, 200)}`)
