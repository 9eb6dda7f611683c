import type { ToolSpec } from '../contract/tools.ts'
import { jsonText } from './json-text.ts'
import type { ModelRequest } from './port.ts'
import { replaysReasoning } from './reasoning.ts'
import { transcriptText } from './transcript-text.ts'

/** The JSON of one chat-completions request. */
export const requestBody = ({ model, system, data, messages, note, tools, toolChoice }: ModelRequest): string => {
  const transcript = transcriptText(messages, replaysReasoning(model))
  const list = [
    ...(system.trim() === '' ? [] : [systemText(system)]),
    ...userText(data),
    ...(transcript === '' ? [] : [transcript]),
    ...userText(note),
  ].join(',')
  const choice = toolChoice === undefined ? '' : `,"tool_choice":${jsonText(toolChoice)}`
  const offered = tools.length === 0 ? '' : `,"tools":[${tools.map(toolText).join(',')}]${choice}`
  return `{"model":${jsonText(model.model)},"messages":[${list}]${offered},"stream":true,"stream_options":{"include_usage":true}}`
}

const userText = (content: string | null | undefined): readonly string[] =>
  content?.trim() ? [jsonText({ role: 'user', content })] : []

/** System prompts kept as JSON. Agents of one kind often share theirs, however many they are. */
const SYSTEMS_MAX = 32
const systems = new Map<string, string>()

const systemText = (system: string): string => {
  const known = systems.get(system)
  if (known !== undefined) return known
  const text = jsonText({ role: 'system', content: system })
  if (systems.size === SYSTEMS_MAX) systems.clear()
  systems.set(system, text)
  return text
}

/** All agents of a thread share its tools, so their JSON is written once. */
const toolTexts = new WeakMap<ToolSpec, string>()

const toolText = (tool: ToolSpec): string => {
  const known = toolTexts.get(tool)
  if (known !== undefined) return known
  const { name, description, parameters } = tool
  const text = jsonText({ type: 'function', function: { name, description, parameters } })
  toolTexts.set(tool, text)
  return text
}
