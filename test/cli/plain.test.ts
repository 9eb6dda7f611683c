import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { plainProgress } from '../../src/cli/view/plain.ts'
import type { RunEvent } from '../../src/contract/events.ts'
import {
  event,
  finished,
  started,
  taskCalls,
  taskCompleted,
  taskFailed,
  taskQueued,
  taskStarted,
  usage,
} from './events.ts'

const linesOf = (events: readonly RunEvent[]): string[] => {
  let text = ''
  const progress = plainProgress((piece) => (text += piece))
  for (const one of events) progress.event(one)
  progress.end()
  return text.split('\n').slice(0, -1)
}

const task = (...events: readonly RunEvent[]) => [taskStarted(1, 'a', 'Read it'), ...events]
const STARTED = 'started   Read it (general-purpose, main, up to 150 turns)'

const table: readonly { name: string; events: readonly RunEvent[]; lines: readonly string[] }[] = [
  { name: 'a run that starts', events: [started()], lines: ['lead      started (model main, thread t1)'] },
  {
    name: 'the answer is not among the lines',
    events: [event('message_delta', 1, { text: 'hi', message_id: 'm' }), finished(2)],
    lines: [],
  },
  {
    name: "the lead's own tools",
    events: [
      event('tool_started', 1, { tool_call_id: 'c', name: 'ls', args: { path: '/mnt/project' } }),
      event('tool_finished', 1, { tool_call_id: 'c', name: 'ls', status: 'success', content: 'a' }),
    ],
    lines: ['lead      ls /mnt/project'],
  },
  {
    name: 'a command stands as it runs, a path without the folder it is in',
    events: [
      event('tool_started', 1, { tool_call_id: 'c', name: 'bash', args: { command: 'echo > /mnt/project/evil.txt' } }),
      event('tool_started', 1, { tool_call_id: 'd', name: 'read_file', args: { path: '/mnt/project/README.md' } }),
    ],
    lines: ['lead      bash echo > /mnt/project/evil.txt', 'lead      read_file README.md'],
  },
  {
    name: 'a tool of the lead that fails',
    events: [event('tool_finished', 1, { tool_call_id: 'c', name: 'ls', status: 'error', content: 'Error: no\nway' })],
    lines: ['lead      ls: Error: no way'],
  },
  {
    name: 'the call that starts a subagent is no line of its own',
    events: [
      event('tool_started', 1, { tool_call_id: 'c', name: 'task', args: { prompt: 'x' } }),
      event('tool_finished', 2, { tool_call_id: 'c', name: 'task', status: 'error', content: 'Task failed.' }),
    ],
    lines: [],
  },
  {
    name: 'a subagent that waits',
    events: [taskQueued(1, 'a', 'Read it', 2)],
    lines: ['queued    Read it (general-purpose), place 2'],
  },
  { name: 'a subagent that starts', events: task(), lines: [STARTED] },
  {
    name: 'what a subagent calls',
    events: task(taskCalls(2, 'a', 'grep', { pattern: 'TODO', path: '/mnt/project' })),
    lines: [STARTED, 'running   Read it: grep TODO'],
  },
  {
    name: 'a subagent that only talks',
    events: task(
      event('task_running', 2, {
        task_id: 'a',
        message: { id: 'm', type: 'ai', content: 'done' },
        message_index: 1,
        progress: 'done',
        usage: usage(1),
        model_name: 'main',
      }),
    ),
    lines: [STARTED],
  },
  {
    name: 'a subagent that completes',
    events: task(taskCalls(2, 'a', 'ls', { path: '/' }), taskCompleted(5.2, 'a', 12_345)),
    lines: [STARTED, 'running   Read it: ls /', 'done      Read it (4.2s, 1 turn, 12.3k tokens)'],
  },
  {
    name: 'a subagent that a cap ended',
    events: task(
      event('task_completed', 3, {
        task_id: 'a',
        result: 'x',
        stop_reason: 'turn_capped',
        artifacts: [],
        usage: null,
        model_name: null,
      }),
    ),
    lines: [STARTED, 'done      Read it (2.0s, turn cap)'],
  },
  {
    name: 'a subagent that fails',
    events: task(taskFailed(3, 'a', 'no\nluck')),
    lines: [STARTED, 'failed    Read it (2.0s): no luck'],
  },
  {
    name: 'a subagent that was cancelled',
    events: task(
      event('task_cancelled', 3, {
        task_id: 'a',
        error: 'Cancelled by user',
        partial: null,
        stop_reason: null,
        artifacts: [],
        usage: null,
        model_name: null,
      }),
    ),
    lines: [STARTED, 'cancelled Read it (2.0s): Cancelled by user'],
  },
  {
    name: 'a subagent that ran out of time',
    events: task(
      event('task_timed_out', 3, {
        task_id: 'a',
        error: 'after 2 seconds',
        partial: null,
        stop_reason: null,
        artifacts: [],
        usage: null,
        model_name: null,
      }),
    ),
    lines: [STARTED, 'timed out Read it (2.0s): after 2 seconds'],
  },
  {
    name: 'a warning about a subagent',
    events: task(event('warning', 2, { code: 'retry', message: 'again in 2 s', task_id: 'a' })),
    lines: [STARTED, 'warning   Read it: again in 2 s (retry)'],
  },
  {
    name: 'events that are gone',
    events: [{ ...event('gap', 2, {}), seq_from: 4, seq: 9 }],
    lines: ['note      events 4 to 9 are no longer held'],
  },
  {
    name: 'text that would drive the terminal',
    events: [taskStarted(1, 'a', '\u001b]0;owned\u0007\u001b[2JRead\u0007\nit')],
    lines: [STARTED],
  },
]

for (const { name, events, lines } of table) test(name, () => assert.equal(linesOf(events), [...lines]))

test.run()
