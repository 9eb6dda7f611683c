import { messageOf } from '../../contract/errors.ts'
import { isRecord } from '../../contract/is-record.ts'
import { connectionFault, errorInAnswer, type Fault, httpFault, lasting, lostFault, passing } from '../failure.ts'

/** An error that carries a fault through a package which knows nothing of it. */
export const faultError = (fault: Fault): Error => Object.assign(new Error(fault.words), { fault })

/** Causes lie inside one another this deep at most. */
const DEPTH_MAX = 5

/** What was thrown, and what it says caused it. */
const causesOf = (thrown: unknown): readonly Readonly<Record<string, unknown>>[] => {
  const found: Readonly<Record<string, unknown>>[] = []
  for (let at = thrown; isRecord(at) && found.length < DEPTH_MAX; at = at['cause']) found.push(at)
  return found
}

/** Reads what a provider's package threw, whatever its class: its status and headers, the code of a lost connection. */
export const thrownFault = (thrown: unknown, address: string): Fault => {
  const causes = causesOf(thrown)
  const own = causes.find(({ fault }) => isRecord(fault))
  if (own) return own['fault'] as Fault
  const answered = causes.find(({ status, statusCode }) => typeof (status ?? statusCode) === 'number')
  if (answered) return refusalFault(answered)
  const inside = causes.find(({ error }) => isRecord(error))
  if (inside) return errorInAnswer(inside['error'])
  const code = causes.map((cause) => cause['code']).find((word): word is string => typeof word === 'string')
  return code === undefined ? unknownFault(thrown, causes) : codeFault(code, thrown, address)
}

const refusalFault = (error: Readonly<Record<string, unknown>>): Fault => {
  const { status, statusCode, error: body, headers } = error
  const words = isRecord(body) ? JSON.stringify(body) : messageOf(error)
  return httpFault(Number(status ?? statusCode), words, (name) => headerOf(headers, name), Date.now())
}

const headerOf = (headers: unknown, name: string): string | undefined => {
  if (headers instanceof Headers) return headers.get(name) ?? undefined
  const value = isRecord(headers) ? headers[name] : undefined
  return value === undefined ? undefined : String(value)
}

const codeFault = (code: string, thrown: unknown, address: string): Fault => {
  if (code === 'UND_ERR_SOCKET') return lostFault(address)
  if (code.startsWith('UND_ERR_')) return passing(`the connection to ${address} failed: ${messageOf(thrown)}`)
  return connectionFault(Object.assign(new Error(messageOf(thrown)), { code }), address)
}

const PASSING_WORDS = /terminated|fetch failed|socket hang up|connection error|timed out|network/i

const unknownFault = (thrown: unknown, causes: readonly object[]): Fault => {
  const words = [...new Set([thrown, ...causes].map(messageOf))].join(': ')
  return PASSING_WORDS.test(words) ? passing(words) : lasting(words)
}
