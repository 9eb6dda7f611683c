import type { MessageView } from '../contract/events.ts'
import { EVENT_TEXT_MAX, PROGRESS_MAX } from '../contract/limits.ts'
import type { AssistantMessage, ToolCall, ToolMessage } from '../contract/messages.ts'
import { head, isBlank, oneLine } from './bound.ts'

/** A message as events show it: every text cut, and whether anything was. */
export interface View {
  readonly message: MessageView
  readonly truncated: boolean
}

/** Arguments as events show them: the object itself, or the head of its JSON where that is too long. */
export const viewArgs = (args: unknown): { readonly args: unknown; readonly truncated: boolean } => {
  const json = JSON.stringify(args) ?? ''
  return json.length <= EVENT_TEXT_MAX
    ? { args, truncated: false }
    : { args: head(json, EVENT_TEXT_MAX), truncated: true }
}

export const viewAssistant = ({ id, content, toolCalls }: AssistantMessage): View => {
  let truncated = content.length > EVENT_TEXT_MAX
  const calls = toolCalls.map((call) => {
    const view = viewArgs(call.args)
    truncated ||= view.truncated
    return { id: call.id, name: call.name, args: view.args }
  })
  const text = head(content, EVENT_TEXT_MAX)
  return { message: { id, type: 'ai', content: text, ...(calls.length > 0 && { tool_calls: calls }) }, truncated }
}

export const viewTool = ({ id, toolCallId, name, content, status }: ToolMessage): View => ({
  message: { id, type: 'tool', content: head(content, EVENT_TEXT_MAX), tool_call_id: toolCallId, name, status },
  truncated: content.length > EVENT_TEXT_MAX,
})

const TELLING = ['path', 'command', 'pattern', 'query', 'url', 'description', 'prompt']

const describeCall = ({ name, args }: ToolCall): string => {
  const key = TELLING.find((candidate) => typeof args[candidate] === 'string')
  return key === undefined ? name : `${name} ${args[key]}`
}

/** What an agent does now, as one plain line. */
export const progressOfAnswer = ({ content, toolCalls }: AssistantMessage): string => {
  if (toolCalls.length > 0) return oneLine(toolCalls.map(describeCall).join(', '), PROGRESS_MAX)
  return isBlank(content) ? 'thinking' : oneLine(content, PROGRESS_MAX)
}

export const progressOfTool = ({ name, status, content }: ToolMessage): string =>
  oneLine(status === 'success' ? `${name} done` : `${name} failed: ${content}`, PROGRESS_MAX)
