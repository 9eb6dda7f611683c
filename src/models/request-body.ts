import type { ToolSpec } from '../contract/tools.ts'
import { jsonText } from './json-text.ts'
import { type Measured, measured } from './measured.ts'
import type { ModelRequest } from './port.ts'
import { replaysReasoning } from './reasoning.ts'
import { transcriptText } from './transcript-text.ts'

/**
 * The JSON of one chat-completions request. It is put together from parts whose length is known and stays in parts until
 * it is written out: each copy of a long one costs as much as all the rest.
 */
export const requestBody = (request: ModelRequest): Measured => {
  const { model, system, data, messages, note } = request
  const start = measured(`{"model":${jsonText(model.model)},"messages":[`)
  const list = [
    systemText(system),
    userText(data),
    transcriptText(messages, replaysReasoning(model)),
    userText(note),
  ].reduce(joined)
  const end = tail(request)
  return { text: start.text + list.text + end.text, bytes: start.bytes + list.bytes + end.bytes }
}

const NOTHING: Measured = { text: '', bytes: 0 }

const joined = (a: Measured, b: Measured): Measured => {
  if (a.bytes === 0 || b.bytes === 0) return a.bytes === 0 ? b : a
  return { text: `${a.text},${b.text}`, bytes: a.bytes + 1 + b.bytes }
}

const userText = (content: string | null | undefined): Measured =>
  content?.trim() ? measured(jsonText({ role: 'user', content })) : NOTHING

/** System prompts kept as JSON. Agents of one kind often share theirs, however many they are. */
const SYSTEMS_MAX = 32
const systems = new Map<string, Measured>()

const systemText = (system: string): Measured => {
  const known = systems.get(system)
  if (known !== undefined) return known
  const text = system.trim() === '' ? NOTHING : measured(jsonText({ role: 'system', content: system }))
  if (systems.size === SYSTEMS_MAX) systems.clear()
  systems.set(system, text)
  return text
}

const STREAMED = ',"stream":true,"stream_options":{"include_usage":true}}'

/** Agents of one kind share their tools, so the JSON of them all is written once. */
const tails = new WeakMap<readonly ToolSpec[], Measured>()

const tail = ({ tools, toolChoice }: ModelRequest): Measured => {
  if (toolChoice !== undefined) return measured(tailText(tools, `,"tool_choice":${jsonText(toolChoice)}`))
  const known = tails.get(tools)
  if (known !== undefined) return known
  const text = measured(tailText(tools, ''))
  tails.set(tools, text)
  return text
}

const tailText = (tools: readonly ToolSpec[], choice: string): string =>
  `]${tools.length === 0 ? '' : `,"tools":[${tools.map(toolText).join(',')}]${choice}`}${STREAMED}`

const toolText = ({ name, description, parameters }: ToolSpec): string =>
  jsonText({ type: 'function', function: { name, description, parameters } })
