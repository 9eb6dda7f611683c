import { GAP_TEXT } from './columns.ts'
import { capName, count, seconds, tokens, turnText } from './format.ts'
import type { Frame } from './frame.ts'
import type { Colour } from './style.ts'
import { STATE_COLOURS } from './task-rows.ts'
import { cut } from './text.ts'
import type { View } from './view.ts'

const doingText = (view: View): string => {
  const open = [...view.tasks.values()].filter((task) => task.endedAt === null)
  const queued = open.filter(({ state }) => state === 'queued').length
  if (view.cancelling) return 'cancelling, once more to quit at once'
  if (open.length > queued)
    return `waiting for ${count(open.length - queued, 'subagent')}${queued > 0 ? `, ${queued} queued` : ''}`
  if (queued > 0) return `waiting for ${count(queued, 'queued subagent')}`
  if (view.retry) return view.retry
  if (view.calls.size > 0) return [...view.calls.values()].join(', ')
  return view.text.trim() === '' ? 'thinking' : 'writing'
}

const markOf = ({ result }: View, { style, spinner }: Frame): string => {
  if (!result) return style.paint('cyan', spinner)
  const colour: Colour = result.status === 'needs_input' ? 'yellow' : STATE_COLOURS[result.status]
  return style.paint(colour, style.marks[result.status])
}

/** What the lead itself used, which is known at the end: the result counts the whole tree. */
const ownTokens = ({ result, tasks }: View): string => {
  if (!result) return ''
  const below = [...tasks.values()].reduce((sum, { usage }) => sum + usage.total_tokens, 0)
  const own = result.usage.total_tokens - below
  return own > 0 ? `${tokens({ ...result.usage, total_tokens: own })} tok` : ''
}

// Below this the model's name takes the room of what the lead does.
const NARROW = 60

export const leadRow = (view: View, frame: Frame): string => {
  const facts = [
    frame.width < NARROW ? '' : view.model,
    turnText(view.turns, view.maxTurns),
    ownTokens(view),
    seconds((view.endedAt ?? frame.now) - view.startedAt),
    view.result?.stop_reason ? capName(view.result.stop_reason) : '',
    view.result ? '' : doingText(view),
  ]
  const rest = ['', ...facts.filter(Boolean)].join(GAP_TEXT)
  return `${markOf(view, frame)} ${frame.style.paint('bold', 'lead')}${cut(rest, frame.width - 'x lead'.length)}`
}
