import { tail } from './fold.ts'
import type { Frame } from './frame.ts'
import { leadRow } from './lead-row.ts'
import { taskRows } from './task-rows.ts'
import { cut } from './text.ts'
import type { TaskState, TaskView, View } from './view.ts'

const TEXT_ROWS = 4
const INDENT = '  '

const URGENCY: readonly TaskState[] = ['running', 'queued']

const rank = ({ state }: TaskView): number => (URGENCY.includes(state) ? URGENCY.indexOf(state) : URGENCY.length)

/** Those that fit, in the order they came, and in words what the others are. */
const choose = (tasks: readonly TaskView[], room: number): { shown: readonly TaskView[]; rest: string } => {
  if (tasks.length <= room) return { shown: tasks, rest: '' }
  // Of those that ended the last to end stay.
  const order = [...tasks].sort((a, b) => rank(a) - rank(b) || (b.endedAt ?? 0) - (a.endedAt ?? 0))
  const kept = new Set(order.slice(0, Math.max(0, room - 1)))
  const left = new Map<TaskState, number>()
  for (const { state } of tasks.filter((task) => !kept.has(task))) left.set(state, (left.get(state) ?? 0) + 1)
  const rest = Array.from(left, ([state, n]) => `${n} ${state.replace('_', ' ')}`).join(', ')
  return { shown: tasks.filter((task) => kept.has(task)), rest: `and ${rest}` }
}

/** The whole picture of a run: the lead, its subagents, and the end of what the lead is writing. No line is wider than the frame. */
export const drawBlock = (view: View, frame: Frame): string[] => {
  const height = frame.height > 0 ? frame.height : Number.POSITIVE_INFINITY
  const width = frame.width - INDENT.length
  const { shown, rest } = choose([...view.tasks.values()], height - 1)
  const dim = (line: string) => frame.style.paint('dim', line)
  const queue = [...view.tasks.values()].filter(({ state }) => state === 'queued')
  const rows = taskRows(shown, (task) => queue.indexOf(task) + 1, frame, width)
  const branches = [...rows, ...(rest ? [dim(cut(rest, width))] : [])].map((row, at, all) => {
    const { branch, lastBranch } = frame.style.glyphs
    return `${dim(at === all.length - 1 ? lastBranch : branch)} ${row}`
  })
  const writing = tail(view.text, width, Math.min(TEXT_ROWS, height - 1 - branches.length))
  return [leadRow(view, frame), ...branches, ...writing.map((line) => INDENT + dim(line))].slice(0, height)
}
