import type { AgentItem, AgentRef, CommandNews, ThreadMessage } from '../contract/envelopes.ts'
import { delegate } from './begin.ts'
import { callKey } from './call-key.ts'
import { reportItem } from './report.ts'
import { acceptReport } from './settle.ts'
import type { Supervision } from './supervision.ts'
import type { Assignment } from './tracked.ts'

/** What an agent thread says, to whom it concerns. Words of an earlier holder of a slot concern nobody. */
export const receive = (s: Supervision, thread: number, message: ThreadMessage): void => {
  switch (message.type) {
    case 'items':
      for (const item of message.items) receiveItem(s, item)
      break
    case 'call': {
      const assignment = holder(s, message.call)
      if (assignment?.status === null) s.startCall(thread, assignment, message.call)
      break
    }
    case 'abort_call':
      s.abortCall(callKey(thread, message.callKey))
      break
    case 'group': {
      const assignment = holder(s, message)
      s.commands.receive(thread, assignment?.status === null ? assignment : null, message)
      break
    }
    case 'command':
      receiveCommand(s, thread, message)
      break
    case 'stray':
      warnRuns(s, thread, `A stray rejection on an agent thread: ${message.reason}`)
      break
    case 'retire':
      warnRuns(s, thread, `An agent thread is retired after an uncaught exception: ${message.reason}`)
      s.threads.retire(thread)
      if (!s.held.has(thread)) s.threads.kill(thread)
      break
    case 'said':
      s.log('debug', message.text, { thread })
      break
  }
}

const holder = ({ bySlot }: Supervision, { slot, generation }: AgentRef): Assignment | undefined => {
  const assignment = bySlot.get(slot)
  return assignment?.ref?.generation === generation ? assignment : undefined
}

const receiveItem = (s: Supervision, item: AgentItem): void => {
  const assignment = holder(s, item)
  if (!assignment) return
  if (item.kind === 'end') acceptReport(s, assignment, item.report)
  else if (assignment.status !== null) return
  else if (item.kind === 'delegate') delegate(s, assignment, item.ask)
  else if (item.kind === 'remember') assignment.run.conversation.add(item.entry)
  else reportItem(assignment, item)
}

const receiveCommand = (s: Supervision, thread: number, news: CommandNews): void => {
  const { key, what } = news
  const assignment = holder(s, news)
  if (what === 'leaves') s.commandPlaces.leave(callKey(thread, key))
  else if (assignment?.status === null) {
    s.commandPlaces.ask(callKey(thread, key), assignment, (has) => s.threads.post(thread, { type: 'place', key, has }))
  }
}

const warnRuns = (s: Supervision, thread: number, message: string): void => {
  s.log('warn', message, { thread })
  for (const run of new Set([...(s.held.get(thread) ?? [])].map((assignment) => assignment.run))) {
    run.log.append('warning', { code: 'thread', message })
  }
}
