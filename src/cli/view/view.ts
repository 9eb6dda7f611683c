import type { EventOf, RunEvent } from '../../contract/events.ts'
import { NO_USAGE, type Usage } from '../../contract/messages.ts'
import type { RunResult } from '../../contract/result.ts'
import type { StopReason } from '../../contract/status.ts'
import { cleanVisible, oneLine } from './text.ts'
import { toolLine } from './tool-line.ts'

export type TaskState = 'queued' | 'running' | 'completed' | 'failed' | 'cancelled' | 'timed_out'

/** What a reader sees of one subagent. Every text in it is clean. */
export interface TaskView {
  readonly id: string
  readonly description: string
  readonly type: string
  readonly state: TaskState
  readonly turns: number
  readonly maxTurns: number
  readonly usage: Usage
  /** What it does now; of one that ended badly, why. */
  readonly doing: string
  readonly stopReason: StopReason | null
  readonly startedAt: number
  readonly endedAt: number | null
}

export interface View {
  readonly model: string
  readonly startedAt: number
  readonly endedAt: number | null
  /** In the order they were asked for, which is the order of the queue. */
  readonly tasks: ReadonlyMap<string, TaskView>
  readonly turns: number
  readonly maxTurns: number
  /** Why the lead waits, when its model call failed and is made again. */
  readonly retry: string
  /** The lead's own tool calls under way, `task` left out. */
  readonly calls: ReadonlyMap<string, string>
  /** The end of what the lead is writing. */
  readonly text: string
  readonly messageId: string
  readonly cancelling: boolean
  readonly result: RunResult | null
}

export const EMPTY_VIEW: View = {
  model: '',
  startedAt: 0,
  endedAt: null,
  tasks: new Map(),
  turns: 0,
  maxTurns: 0,
  retry: '',
  calls: new Map(),
  text: '',
  messageId: '',
  cancelling: false,
  result: null,
}

// Enough for the rows that show it on any terminal.
const TEXT_KEPT = 4000

type Step<T extends RunEvent['type']> = (view: View, event: EventOf<T>) => View

const withTask = (view: View, id: string, change: (task: TaskView) => TaskView): View => {
  const task = view.tasks.get(id)
  return task ? { ...view, tasks: new Map(view.tasks).set(id, change(task)) } : view
}

const newTask = (event: EventOf<'task_queued'> | EventOf<'task_started'>): TaskView => ({
  id: event.task_id,
  description: oneLine(event.description) || 'untitled',
  type: oneLine(event.subagent_type),
  state: 'queued',
  turns: 0,
  maxTurns: 0,
  usage: NO_USAGE,
  doing: '',
  stopReason: null,
  startedAt: event.time,
  endedAt: null,
})

const putTask = (view: View, task: TaskView): View => ({ ...view, tasks: new Map(view.tasks).set(task.id, task) })

type TaskEndEvent = EventOf<'task_completed' | 'task_failed' | 'task_cancelled' | 'task_timed_out'>

const endTask = (view: View, event: TaskEndEvent): View =>
  withTask(view, event.task_id, (task) => ({
    ...task,
    state: event.type.slice('task_'.length) as TaskState,
    usage: event.usage ?? task.usage,
    doing: 'error' in event ? oneLine(event.error) : '',
    stopReason: event.stop_reason,
    endedAt: event.time,
  }))

/** Empty for a call that went well: it stays on show until the agent does something else. */
const doingOf = ({ message, progress }: EventOf<'task_running'>): string => {
  if (message.type === 'tool') return message.status === 'error' ? oneLine(progress) : ''
  return message.tool_calls?.map((call) => toolLine(call.name, call.args)).join(', ') || oneLine(progress)
}

const STEPS: { readonly [T in RunEvent['type']]?: Step<T> } = {
  run_started: (view, event) => ({
    ...view,
    model: oneLine(event.model_name),
    maxTurns: event.limits.max_turns,
    startedAt: event.time,
  }),
  message_delta: (view, event) => ({
    ...view,
    messageId: event.message_id,
    retry: '',
    text: ((event.message_id === view.messageId ? view.text : '') + cleanVisible(event.text)).slice(-TEXT_KEPT),
  }),
  message_discarded: (view, event) => (event.message_id === view.messageId ? { ...view, text: '' } : view),
  message: (view, { message }) =>
    message.type === 'ai'
      ? { ...view, turns: view.turns + 1, retry: '', text: message.tool_calls?.length ? '' : view.text }
      : view,
  tool_started: (view, event) =>
    event.name === 'task'
      ? view
      : { ...view, calls: new Map(view.calls).set(event.tool_call_id, toolLine(event.name, event.args)) },
  tool_finished: (view, event) => {
    const calls = new Map(view.calls)
    return calls.delete(event.tool_call_id) ? { ...view, calls } : view
  },
  task_queued: (view, event) => putTask(view, newTask(event)),
  task_started: (view, event) =>
    putTask(view, { ...newTask(event), state: 'running', maxTurns: event.limits.max_turns }),
  task_running: (view, event) =>
    withTask(view, event.task_id, (task) => ({
      ...task,
      turns: task.turns + (event.message.type === 'ai' ? 1 : 0),
      usage: event.usage,
      doing: doingOf(event) || task.doing,
    })),
  warning: (view, event) => {
    if (event.code !== 'retry') return view
    const why = `trying again: ${oneLine(event.message)}`
    if (event.task_id === undefined) return { ...view, retry: why }
    return withTask(view, event.task_id, (task) => ({ ...task, doing: why }))
  },
  task_completed: endTask,
  task_failed: endTask,
  task_cancelled: endTask,
  task_timed_out: endTask,
  run_finished: (view, event) => ({
    ...view,
    result: event.result,
    endedAt: event.time,
    turns: event.result.turns,
    calls: new Map(),
    retry: '',
    text: '',
  }),
}

/** The view after one more event. */
export const advance = (view: View, event: RunEvent): View => {
  const step = STEPS[event.type] as ((view: View, event: RunEvent) => View) | undefined
  return step ? step(view, event) : view
}
