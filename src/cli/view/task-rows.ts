import { type Cells, type Column, fill, fitColumns, GAP_TEXT } from './columns.ts'
import { capName, seconds, tokens, turnText } from './format.ts'
import type { Frame } from './frame.ts'
import type { Colour } from './style.ts'
import type { TaskState, TaskView } from './view.ts'

const part = (width: number, share: number): number => Math.max(12, Math.floor(width * share))

const columnsFor = (width: number): readonly Column[] => [
  { name: 'mark', worth: 9 },
  { name: 'description', least: part(width, 0.25), most: part(width, 0.35), worth: 8 },
  { name: 'type', least: 8, worth: 3 },
  { name: 'turn', worth: 4 },
  { name: 'tokens', worth: 2, side: 'right' },
  { name: 'elapsed', worth: 6, side: 'right' },
  { name: 'doing', least: part(width, 0.15), worth: 5 },
]

export const STATE_COLOURS: Readonly<Record<TaskState, Colour>> = {
  queued: 'dim',
  running: 'cyan',
  completed: 'green',
  failed: 'red',
  cancelled: 'yellow',
  timed_out: 'red',
}

/** What it does now; of one that ended, the cap it ran into and what went wrong. */
const doingText = (task: TaskView, place: number): string => {
  if (task.state === 'queued') return place > 1 ? `queued, #${place}` : 'queued, next'
  if (task.state === 'running') return task.doing || 'thinking'
  const mark = task.stopReason ? capName(task.stopReason) : task.state === 'failed' ? 'failed' : ''
  return [mark, task.doing].filter(Boolean).join(': ')
}

const cellsOf = (task: TaskView, place: number, frame: Frame): Cells => ({
  mark: task.state === 'running' ? frame.spinner : frame.style.marks[task.state],
  description: task.description,
  type: task.type,
  turn: turnText(task.turns, task.maxTurns),
  tokens: task.usage.total_tokens > 0 ? `${tokens(task.usage)} tok` : '',
  elapsed: seconds((task.endedAt ?? frame.now) - task.startedAt),
  doing: doingText(task, place),
})

const colourOf = (column: string, { state, stopReason }: TaskView): Colour | null => {
  if (column === 'mark') return STATE_COLOURS[state]
  if (column === 'description') return state === 'queued' ? 'dim' : null
  if (column !== 'doing') return 'dim'
  return state === 'failed' ? 'red' : stopReason ? 'yellow' : 'dim'
}

/** One row for each subagent, in columns that fit all of them; `placeOf` tells a queued one's place, 1 being the next. */
export const taskRows = (
  tasks: readonly TaskView[],
  placeOf: (task: TaskView) => number,
  frame: Frame,
  width: number,
): string[] => {
  const rows = tasks.map((task) => ({ task, cells: cellsOf(task, placeOf(task), frame) }))
  const columns = fitColumns(
    columnsFor(width),
    rows.map(({ cells }) => cells),
    width,
  )
  return rows.map(({ task, cells }) => {
    const line = fill(columns, cells)
    // Trailing blanks would fold on a terminal that has just been made narrower.
    const last = line.findLastIndex(({ text }) => text.trim() !== '')
    const shown = line.slice(0, last + 1).map(({ name, text }, at) => {
      const colour = colourOf(name, task)
      const cell = at === last ? text.trimEnd() : text
      return colour ? frame.style.paint(colour, cell) : cell
    })
    return shown.join(GAP_TEXT)
  })
}
