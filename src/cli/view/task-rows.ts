import { type Cells, type Column, fill, fitColumns, GAP_TEXT } from './columns.ts'
import { capName, seconds, tokens } from './format.ts'
import type { Frame } from './frame.ts'
import type { Colour } from './style.ts'
import type { TaskState, TaskView } from './view.ts'

const part = (width: number, share: number): number => Math.max(12, Math.floor(width * share))

const columnsFor = (width: number): readonly Column[] => [
  { name: 'mark', worth: 9 },
  { name: 'description', least: part(width, 0.3), most: part(width, 0.4), worth: 8 },
  { name: 'type', worth: 1 },
  { name: 'turn', worth: 4 },
  { name: 'tokens', worth: 2, side: 'right' },
  { name: 'elapsed', worth: 6, side: 'right' },
  { name: 'cap', worth: 7 },
  { name: 'doing', least: part(width, 0.2), worth: 5 },
]

export const STATE_COLOURS: Readonly<Record<TaskState, Colour>> = {
  queued: 'dim',
  running: 'cyan',
  completed: 'green',
  failed: 'red',
  cancelled: 'yellow',
  timed_out: 'red',
}

const turnText = ({ turns, maxTurns, state }: TaskView): string => {
  if (turns === 0) return ''
  return state === 'running' && maxTurns > 0 ? `turn ${turns}/${maxTurns}` : `turn ${turns}`
}

const doingText = (task: TaskView): string => {
  if (task.state === 'queued') return task.position > 1 ? `waiting, place ${task.position}` : 'waiting'
  if (task.state === 'running') return task.doing || 'starting'
  if (task.state === 'failed') return ['failed', task.doing].filter(Boolean).join(': ')
  return task.doing
}

const cellsOf = (task: TaskView, frame: Frame): Cells => ({
  mark: task.state === 'running' ? frame.spinner : frame.style.marks[task.state],
  description: task.description,
  type: task.type,
  turn: turnText(task),
  tokens: task.usage.total_tokens > 0 ? `${tokens(task.usage)} tok` : '',
  elapsed: seconds((task.endedAt ?? frame.now) - task.startedAt),
  cap: task.stopReason ? capName(task.stopReason) : '',
  doing: doingText(task),
})

const colourOf = (column: string, state: TaskState): Colour | null => {
  if (column === 'mark') return STATE_COLOURS[state]
  if (column === 'cap') return 'yellow'
  if (column === 'description') return state === 'queued' ? 'dim' : null
  return column === 'doing' && state === 'failed' ? 'red' : 'dim'
}

/** One row for each subagent, in columns that fit all of them. */
export const taskRows = (tasks: readonly TaskView[], frame: Frame, width: number): string[] => {
  const rows = tasks.map((task) => ({ state: task.state, cells: cellsOf(task, frame) }))
  const columns = fitColumns(
    columnsFor(width),
    rows.map(({ cells }) => cells),
    width,
  )
  return rows.map(({ state, cells }) => {
    const line = fill(columns, cells)
    // Trailing blanks would fold on a terminal that has just been made narrower.
    const last = line.findLastIndex(({ text }) => text.trim() !== '')
    const shown = line.slice(0, last + 1).map(({ name, text }, at) => {
      const colour = colourOf(name, state)
      const cell = at === last ? text.trimEnd() : text
      return colour ? frame.style.paint(colour, cell) : cell
    })
    return shown.join(GAP_TEXT)
  })
}
