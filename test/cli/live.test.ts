import { setTimeout as sleep } from 'node:timers/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { liveProgress } from '../../src/cli/view/live.ts'
import { styleFor } from '../../src/cli/view/style.ts'
import { widthOf } from '../../src/cli/view/text.ts'
import type { RunEvent } from '../../src/contract/events.ts'
import {
  event,
  finished,
  started,
  T0,
  taskCalls,
  taskCompleted,
  taskFailed,
  taskQueued,
  taskStarted,
  usage,
} from './events.ts'
import { FakeTerminal } from './fake-terminal.ts'

const ESC = '\u001b'
const PLAIN = { NO_COLOR: '1' }

const show = (
  columns: number,
  events: readonly RunEvent[],
  seconds = 5,
  env: Record<string, string> = PLAIN,
  rows = 24,
) => {
  const terminal = new FakeTerminal(columns, rows)
  const progress = liveProgress(terminal, styleFor(env), () => T0 + seconds * 1000)
  for (const one of events) progress.event(one)
  return { terminal, progress }
}

// Repaints what is pending: a change of size does so at once.
const paint = (terminal: FakeTerminal) => terminal.emit('resize')

const survey: readonly RunEvent[] = [
  started(),
  taskStarted(1, 'a', 'Layout and languages'),
  taskStarted(1, 'b', '日本語のドキュメントを調べる 📚'),
  taskQueued(1, 'c', 'Dependencies and open ends', 2),
  taskCalls(2, 'a', 'glob', { pattern: '**/*' }, 1234),
  taskCompleted(3, 'a', 4100),
  taskFailed(4, 'b', 'the model did not answer'),
]

const pictures = [
  {
    columns: 200,
    lines: [
      '⠋ lead  main  5.0s  waiting for 1 queued subagent',
      '├ ✓  Layout and languages             general-purpose  turn 1/150  4.1k tok  2.0s',
      '├ ✗  日本語のドキュメントを調べる 📚  general-purpose                        3.0s  failed: the model did not answer',
      '└ ·  Dependencies and open ends       general-purpose                        4.0s  queued, next',
    ],
  },
  {
    columns: 80,
    lines: [
      '⠋ lead  main  5.0s  waiting for 1 queued subagent',
      '├ ✓  Layout and languages    general…  turn 1/150  4.1k tok  2.0s',
      '├ ✗  日本語のドキュメント…   general…                        3.0s  failed: the…',
      '└ ·  Dependencies and open…  general…                        4.0s  queued, next',
    ],
  },
  {
    columns: 60,
    lines: [
      '⠋ lead  5.0s  waiting for 1 queued subagent',
      '├ ✓  Layout and languag…  turn 1/150  2.0s',
      '├ ✗  日本語のドキュメン…              3.0s  failed: the mo…',
      '└ ·  Dependencies and o…              4.0s  queued, next',
    ],
  },
  {
    columns: 40,
    lines: [
      '⠋ lead  5.0s  waiting for 1 queued sub…',
      '├ ✓  Layout and …  2.0s',
      '├ ✗  日本語のド…   3.0s  failed: the m…',
      '└ ·  Dependencie…  4.0s  queued, next',
    ],
  },
]

for (const { columns, lines } of pictures) {
  test(`the block at ${columns} columns`, () => {
    const { terminal, progress } = show(columns, survey)
    paint(terminal)
    assert.equal(terminal.text, lines)
    progress.end()
  })
}

test('no line is wider than the terminal, at any width', () => {
  for (let columns = 10; columns <= 120; columns++) {
    const { terminal, progress } = show(columns, [
      ...survey,
      event('message_delta', 5, { text: 'words '.repeat(50), message_id: 'm' }),
    ])
    paint(terminal)
    for (const line of terminal.text) assert.ok(widthOf(line) < columns, `${columns}: ${line}`)
    progress.end()
  }
})

test('each picture takes the place of the one before', () => {
  const { terminal, progress } = show(80, survey.slice(0, 3))
  for (const one of survey.slice(3)) {
    progress.event(one)
    paint(terminal)
  }
  progress.event(finished(6))
  progress.end()
  assert.is(terminal.text.length, 4)
  assert.is(terminal.text[0], '✓ lead  main  turn 2/150  6.0s')
})

test('the end of what the lead writes stands below, and goes when it calls a tool', () => {
  const { terminal, progress } = show(40, [
    started(),
    event('message_delta', 1, { text: 'one\ntwo\nthree\nfour\nfi', message_id: 'm' }),
    event('message_delta', 1, { text: 've', message_id: 'm' }),
  ])
  paint(terminal)
  assert.equal(terminal.text.slice(1), ['  two', '  three', '  four', '  five'])
  progress.event(
    event('message', 2, {
      message: { id: 'm', type: 'ai', content: '', tool_calls: [{ id: 'c', name: 'ls', args: {} }] },
    }),
  )
  progress.event(event('tool_started', 2, { tool_call_id: 'c', name: 'ls', args: { path: '/mnt' } }))
  paint(terminal)
  assert.equal(terminal.text, ['⠋ lead  turn 1/150  5.0s  ls /mnt'])
  progress.end()
})

test('text of a call that failed goes', () => {
  const { terminal, progress } = show(40, [
    started(),
    event('message_delta', 1, { text: 'half', message_id: 'm' }),
    event('message_discarded', 1, { message_id: 'm' }),
  ])
  paint(terminal)
  assert.equal(terminal.text, ['⠋ lead  5.0s  thinking'])
  progress.end()
})

test('more subagents than rows: those that run stay, the others are counted', () => {
  const many = Array.from({ length: 30 }, (_, i) => taskStarted(1, `t${i}`, `Task ${i}`))
  const done = Array.from({ length: 25 }, (_, i) => taskCompleted(2, `t${i}`))
  const { terminal, progress } = show(60, [started(), ...many, ...done], 5, PLAIN, 10)
  paint(terminal)
  assert.is(terminal.text.length, 9)
  for (let i = 25; i < 30; i++) assert.match(terminal.text.join('\n'), `Task ${i} `)
  assert.is(terminal.text.at(-1), '└ and 23 completed')
  progress.event(finished(6))
  progress.end()
  assert.is(terminal.text.length, 31, 'the last picture shows all')
})

test('a warning stays above the block, folded between words', () => {
  const { terminal, progress } = show(40, survey)
  paint(terminal)
  progress.event(event('warning', 5, { code: 'loop', message: 'the same calls three times over', task_id: 'c' }))
  paint(terminal)
  assert.equal(terminal.text.slice(0, 3), [
    'warning   Dependencies and open ends:',
    '          the same calls three times',
    '          over (loop)',
  ])
  assert.is(terminal.text.length, 7)
  progress.end()
})

test('a call that is made again shows in the row it belongs to, until it is over', () => {
  const retry = { code: 'retry', message: 'the model is busy' } as const
  const { terminal, progress } = show(90, [started(), taskStarted(1, 'a', 'Look'), event('warning', 2, retry)])
  progress.event(event('warning', 2, { ...retry, task_id: 'a' }))
  paint(terminal)
  assert.equal(terminal.text, [
    '⠋ lead  main  5.0s  waiting for 1 subagent',
    '└ ⠋  Look  general-purpose  4.0s  trying again: the model is busy',
  ])
  progress.event(taskCalls(3, 'a', 'ls', { path: '/mnt' }))
  progress.event(taskCompleted(4, 'a'))
  paint(terminal)
  assert.is(terminal.text[0], '⠋ lead  main  5.0s  trying again: the model is busy')
  progress.event(event('message_delta', 4, { text: 'x', message_id: 'm' }))
  paint(terminal)
  assert.is(terminal.text[0], '⠋ lead  main  5.0s  writing')
  progress.end()
})

test('places in the queue fall as others start', () => {
  const queued = ['a', 'b', 'c'].map((id, at) => taskQueued(1, id, `Task ${id}`, at + 1))
  const { terminal, progress } = show(90, [started(), ...queued])
  const places = () => terminal.text.slice(1).map((line) => line.split('  ').at(-1))
  paint(terminal)
  assert.equal(places(), ['queued, next', 'queued, #2', 'queued, #3'])
  progress.event(taskStarted(2, 'a', 'Task a'))
  paint(terminal)
  assert.equal(places(), ['thinking', 'queued, next', 'queued, #2'])
  assert.is(terminal.text[0], '⠋ lead  main  5.0s  waiting for 1 subagent, 2 queued')
  progress.end()
})

const capped = [
  { stop_reason: 'turn_capped', error: null, shows: 'turn cap' },
  { stop_reason: 'loop_capped', error: 'stuck', shows: 'loop cap: stuck' },
  { stop_reason: null, error: 'stuck', shows: 'failed: stuck' },
] as const
for (const { stop_reason, error, shows } of capped) {
  test(`the row of a subagent that ended with ${stop_reason} and ${error}`, () => {
    const end = { task_id: 'a', stop_reason, artifacts: [], usage: null, model_name: 'main' }
    const last =
      error === null
        ? event('task_completed', 3, { ...end, result: 'x' })
        : event('task_failed', 3, { ...end, error, partial: null })
    const { terminal, progress } = show(90, [started(), taskStarted(1, 'a', 'Look'), last])
    paint(terminal)
    assert.match(terminal.text[1] ?? '', new RegExp(`2\\.0s  ${shows}$`))
    progress.end()
  })
}

test('at the end the lead has what the subagents did not use', () => {
  const { terminal, progress } = show(90, [started(), taskStarted(1, 'a', 'Look'), taskCompleted(2, 'a', 4000)])
  progress.event(finished(3, { usage: { ...usage(5500), estimated: true } }))
  progress.end()
  assert.equal(terminal.text, [
    '✓ lead  main  turn 2/150  ~1.5k tok  3.0s',
    '└ ✓  Look  general-purpose  4.0k tok  1.0s',
  ])
})

test('a terminal made narrower, then wider, keeps one block', () => {
  const { terminal, progress } = show(120, survey)
  paint(terminal)
  for (const columns of [60, 33, 90, 21, 200]) {
    terminal.resize(columns)
    assert.is(terminal.text.length, 4, `${columns}: ${terminal.text.join('\n')}`)
  }
  progress.end()
})

test('the cursor is hidden meanwhile and given back, wrapping too', () => {
  const { terminal, progress } = show(80, survey)
  paint(terminal)
  assert.is(terminal.cursorShown, false)
  progress.end()
  progress.end()
  assert.is(terminal.cursorShown, true)
  assert.is(terminal.wraps, true)
})

test('nothing but the block is listened for once it is over', () => {
  const before = process.listenerCount('exit') + process.listenerCount('SIGCONT') + process.listenerCount('SIGTSTP')
  const { terminal, progress } = show(80, survey)
  progress.end()
  assert.is(process.listenerCount('exit') + process.listenerCount('SIGCONT') + process.listenerCount('SIGTSTP'), before)
  assert.is(terminal.listenerCount('resize'), 0)
})

test('many events make few pictures', async () => {
  const { terminal, progress } = show(80, [started()])
  const painted = () => terminal.raw.split(`${ESC}[J`).length - 1
  for (let i = 0; i < 500; i++) progress.event(event('message_delta', 1, { text: 'x', message_id: 'm' }))
  assert.is(painted(), 0)
  await sleep(200)
  assert.ok(painted() >= 1 && painted() <= 4, `${painted()} pictures`)
  progress.end()
})

test('cancelling shows at once', () => {
  const { terminal, progress } = show(80, survey)
  progress.cancelling()
  assert.is(terminal.text[0], '⠋ lead  main  5.0s  cancelling, once more to quit at once')
  progress.end()
  progress.note('after the end')
  assert.is(terminal.text.at(-1), 'after the end')
})

const styles = [
  { name: 'NO_COLOR: no colour', env: { NO_COLOR: '1' }, colour: false, mark: '✓' },
  { name: 'an empty NO_COLOR says nothing', env: { NO_COLOR: '' }, colour: true, mark: '✓' },
  { name: 'the console of Linux: plain marks', env: { TERM: 'linux' }, colour: true, mark: '+' },
  { name: 'the C locale: plain marks', env: { LC_ALL: 'C', LANG: 'en_GB.UTF-8' }, colour: true, mark: '+' },
  { name: 'a UTF-8 locale', env: { LANG: 'en_GB.UTF-8' }, colour: true, mark: '✓' },
]
for (const { name, env, colour, mark } of styles) {
  test(name, () => {
    const { terminal, progress } = show(80, survey, 5, env)
    paint(terminal)
    assert.is(terminal.raw.includes(`${ESC}[2m`), colour)
    assert.is(terminal.text[1]?.trim()[2], mark)
    progress.end()
  })
}

test('what a model writes cannot drive the terminal', () => {
  const evil = '\u001b[2J\u001b]0;owned\u0007\u009b5A\u0007gone'
  const { terminal, progress } = show(80, [
    started(),
    taskStarted(1, 'a', evil),
    taskCalls(2, 'a', evil, { path: evil }),
    event('tool_started', 2, { tool_call_id: 'c', name: evil, args: { path: evil } }),
    event('message_delta', 2, { text: evil, message_id: 'm' }),
    event('warning', 2, { code: 'retry', message: evil }),
  ])
  paint(terminal)
  progress.event(taskFailed(3, 'a', evil))
  progress.end()
  for (const bad of [`${ESC}[2J`, `${ESC}]`, '\u009b', '\u0007']) assert.not.ok(terminal.raw.includes(bad))
})

test.run()
