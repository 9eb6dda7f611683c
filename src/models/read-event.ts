import { isRecord } from '../contract/is-record.ts'
import { errorInAnswer, errorTextInAnswer, type Fault, notJsonFault } from './failure.ts'
import type { WireChunk } from './wire.ts'

/** What one event, or one body sent whole, turns out to be. */
export interface ChunkListener {
  chunk(chunk: WireChunk): void
  fault(fault: Fault): void
  done(): void
}

export const readEvent = (data: string, name: string, listener: ChunkListener): void => {
  if (data.startsWith('[DONE]')) listener.done()
  else if (name === 'error') listener.fault(errorTextInAnswer(data))
  else if (!readJson(data, listener)) readLoose(data, listener)
}

/** Some servers leave out the blank lines between events, which makes one event of several lines of JSON. */
const readLoose = (data: string, listener: ChunkListener): void => {
  if (data.includes('\n')) for (const line of data.split('\n')) readEvent(line, '', listener)
  else if (data.trim() !== '') listener.fault(notJsonFault(data))
}

/** Whether the text was JSON. */
export const readJson = (text: string, listener: ChunkListener): boolean => {
  let chunk: unknown
  try {
    chunk = JSON.parse(text)
  } catch {
    return false
  }
  if (isRecord(chunk)) readChunk(chunk, listener)
  return true
}

const readChunk = (chunk: WireChunk, listener: ChunkListener): void => {
  if (chunk.error) listener.fault(errorInAnswer(chunk.error))
  else if (chunk.object === 'error') listener.fault(errorInAnswer(chunk))
  else listener.chunk(chunk)
}
