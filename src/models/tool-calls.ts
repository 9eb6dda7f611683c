import { randomUUID } from 'node:crypto'
import type { ToolCall } from '../contract/messages.ts'
import { isWholeObject, readArguments } from './tool-arguments.ts'
import type { WireToolCall } from './wire.ts'

/** A call as its deltas have given it so far. */
export interface OpenCall {
  readonly index: number | null
  id: string
  name: string
  /** JSON text, grown piece by piece; an object where the provider sends one. */
  args: string | object
}

/** Merges the tool-call deltas of one chunk into the calls known so far. */
export const mergeToolCalls = (calls: OpenCall[], deltas: readonly (WireToolCall | null)[]): void => {
  for (let place = 0; place < deltas.length; place++) {
    const delta = deltas[place]
    if (delta) merge(calls, delta, place)
  }
}

const merge = (calls: OpenCall[], delta: WireToolCall, place: number): void => {
  const index = typeof delta.index === 'number' ? delta.index : null
  const id = given(delta.id)
  const name = given(delta.function?.name)
  const args = delta.function?.arguments
  const known = find(calls, index, id, place)
  if (known === undefined || opensNext(known, index, id, name, args)) {
    calls.push({ index, id, name, args: isPiece(args) ? args : '' })
    return
  }
  if (known.id === '') known.id = id
  // A name comes whole or in pieces before the arguments; some servers repeat it in every delta.
  if (name !== '' && name !== known.name) known.name += name
  if (typeof args === 'string') {
    if (typeof known.args === 'string') known.args += args
  } else if (isPiece(args)) known.args = args
}

/** Empty and the text "null" mean "not given": gateways write both into continuation deltas. */
const given = (value: unknown): string => (typeof value === 'string' && value !== 'null' ? value : '')

const isPiece = (args: unknown): args is string | object =>
  typeof args === 'string' || (typeof args === 'object' && args !== null)

/** The call that a delta speaks of: by index if it has one, else by id, else the one before. */
const find = (calls: readonly OpenCall[], index: number | null, id: string, place: number): OpenCall | undefined => {
  if (index !== null) return calls.findLast((call) => call.index === index)
  if (id !== '') return calls.findLast((call) => call.id === id)
  return place === 0 ? calls.at(-1) : undefined
}

/**
 * Whether a delta that points at a known call is in truth the next one, since servers exist that number every call 0 or
 * none at all. One without a name never is: some gateways make up a new id for each piece of the same call.
 */
const opensNext = (known: OpenCall, index: number | null, id: string, name: string, args: unknown): boolean => {
  if (name === '' || known.name === '') return false
  if (id !== '' && known.id !== '' && id !== known.id) return true
  if (name === known.name) return isPiece(args) && args !== '' && isWhole(known.args)
  return index === null || isWhole(known.args)
}

const isWhole = (args: string | object): boolean => typeof args !== 'string' || isWholeObject(args)

/**
 * The calls in the order the model made them, each with an id, its arguments read. `isCut`: the output limit ended the
 * answer, so that what the last call lacks was still to come.
 */
export const finishToolCalls = (calls: readonly OpenCall[], isCut: boolean): ToolCall[] => {
  const named = calls.filter((call) => call.name !== '' || call.args !== '')
  return named.map((call, place) => finish(call, isCut && place === named.length - 1))
}

const OUT_OF_SPACE =
  'the answer reached the output limit before the call was complete. Make it shorter, such as a file in several parts'

const finish = ({ id, name, args }: OpenCall, isCut: boolean): ToolCall => {
  const read = readArguments(args)
  const isBroken = isCut && (read.invalid !== undefined || args === '')
  const call = { id: id === '' ? newCallId() : id, name, ...(isBroken ? { args: {}, invalid: OUT_OF_SPACE } : read) }
  // Providers refuse a transcript whose calls have no name, so this one needs a stand-in there.
  return name === '' ? { ...call, name: 'unnamed', invalid: 'The call names no tool' } : call
}

const newCallId = (): string => `call_${randomUUID().replaceAll('-', '')}`
