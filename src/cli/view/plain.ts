import type { EventOf, RunEvent } from '../../contract/events.ts'
import { capName, count, seconds, tokens } from './format.ts'
import type { Progress } from './progress.ts'
import { oneLine } from './text.ts'
import { toolLine } from './tool-line.ts'
import { advance, EMPTY_VIEW, type View } from './view.ts'

const title = (view: View, id: string): string => view.tasks.get(id)?.description ?? oneLine(id)

const list = (...facts: readonly (string | false | null)[]): string => facts.filter(Boolean).join(', ')

const ended = (view: View, id: string): string => {
  const task = view.tasks.get(id)
  if (!task) return ''
  const facts = list(
    `${seconds((task.endedAt ?? task.startedAt) - task.startedAt)}`,
    task.turns > 0 && count(task.turns, 'turn'),
    task.usage.total_tokens > 0 && `${tokens(task.usage)} tokens`,
    task.stopReason && capName(task.stopReason),
  )
  return `${task.description} (${facts})${task.doing ? `: ${task.doing}` : ''}`
}

const ranTools = (view: View, event: EventOf<'task_running'>): string[] => {
  if (event.message.type !== 'ai' || !event.message.tool_calls?.length) return []
  return event.message.tool_calls.map(
    (call) => `running   ${title(view, event.task_id)}: ${toolLine(call.name, call.args)}`,
  )
}

type Lines<T extends RunEvent['type']> = (event: EventOf<T>, view: View) => readonly string[]

const endLine =
  (word: string) =>
  (event: { readonly task_id: string }, view: View): readonly string[] => [
    `${word.padEnd(9)} ${ended(view, event.task_id)}`,
  ]

const LINES: { readonly [T in RunEvent['type']]?: Lines<T> } = {
  run_started: (event) => [
    `lead      started (model ${oneLine(event.model_name)}, thread ${oneLine(event.thread_id)})`,
  ],
  tool_started: (event) => (event.name === 'task' ? [] : [`lead      ${toolLine(event.name, event.args)}`]),
  tool_finished: (event) =>
    event.status === 'error' && event.name !== 'task'
      ? [`lead      ${oneLine(event.name)}: ${oneLine(event.content)}`]
      : [],
  task_queued: (event, view) => [
    `queued    ${title(view, event.task_id)} (${oneLine(event.subagent_type)}), place ${event.position}`,
  ],
  task_started: (event, view) => [
    `started   ${title(view, event.task_id)} (${oneLine(event.subagent_type)}, ${oneLine(event.model_name)}, up to ${count(event.limits.max_turns, 'turn')})`,
  ],
  task_running: (event, view) => ranTools(view, event),
  task_completed: endLine('done'),
  task_failed: endLine('failed'),
  task_cancelled: endLine('cancelled'),
  task_timed_out: endLine('timed out'),
  permission_requested: (event) => [`asks      ${oneLine(event.agent)}: ${oneLine(event.title)}`],
  warning: (event, view) => [
    `warning   ${event.task_id ? `${title(view, event.task_id)}: ` : ''}${oneLine(event.message)} (${event.code})`,
  ],
  gap: (event) => [`note      events ${event.seq_from ?? event.seq} to ${event.seq} are no longer held`],
}

/** What one event says in plain lines; `view` is the view after it. */
export const plainLines = (event: RunEvent, view: View): readonly string[] => {
  const lines = LINES[event.type] as ((event: RunEvent, view: View) => readonly string[]) | undefined
  return lines ? lines(event, view) : []
}

export const plainProgress = (write: (text: string) => void): Progress => {
  let view = EMPTY_VIEW
  return {
    event: (event) => {
      view = advance(view, event)
      for (const line of plainLines(event, view)) write(`${line}\n`)
    },
    note: (line) => write(`${line}\n`),
    cancelling: () => write('cancelling, once more to quit at once\n'),
    end: () => {},
  }
}
