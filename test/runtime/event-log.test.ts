import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { EventType, RunEvent } from '../../src/contract/events.ts'
import { EVENT_TEXT_MAX, LOG_BYTES_MAX, SUBSCRIBER_BYTES_MAX } from '../../src/contract/limits.ts'
import { type Cursor, createEventLog, type EventLog } from '../../src/runtime/event-log.ts'
import { must } from '../support/runtime-script.ts'

const open = (now: () => number = () => 7): EventLog => createEventLog('r', 'T', now)
const reader = (next = 1): Cursor => ({ next, wake: () => {} })

const readAll = (log: EventLog, cursor: Cursor = reader()): readonly RunEvent[] => {
  const events: RunEvent[] = []
  for (let event = log.read(cursor); event; event = log.read(cursor)) events.push(event)
  return events
}

/** Bytes of what a log holds, however it keeps it: one a character, two where a text needs them. */
const weigh = (events: readonly RunEvent[]): number => {
  let bytes = 0
  const json = JSON.stringify(events, (_, value) => {
    if (typeof value === 'string' && /[^\0-\xff]/.test(value)) bytes += value.length
    return value
  })
  return bytes + json.length
}

const say = (log: EventLog, text: string, message_id = 'm'): void => log.append('message_delta', { text, message_id })
const warn = (log: EventLog, message: string): void => log.append('warning', { code: 'thread', message })
const progress = (log: EventLog, task_id: string, content: string, message_index = 1): void =>
  log.appendText('task_running', JSON.stringify({ task_id, message: { content }, message_index, progress: 'x' }))
const start = (log: EventLog, task_id: string): void => {
  const limits = { max_turns: 1, timeout_seconds: 1, token_budget: null }
  log.append('task_started', { task_id, description: '', subagent_type: '', model_name: '', limits })
}
const end = (log: EventLog, task_id: string, result: string): void =>
  log.append('task_completed', { task_id, result, stop_reason: null, artifacts: [], usage: null, model_name: null })

const covered = (events: readonly RunEvent[]): void => {
  let last = events[0]?.seq_from ?? events[0]?.seq ?? 1
  last--
  for (const { seq, seq_from } of events) {
    assert.is(seq_from ?? seq, last + 1)
    last = seq
  }
}

const textOf = (events: readonly RunEvent[]): string =>
  events.map((event) => (event.type === 'message_delta' ? event.text : '')).join('')

test('events are numbered from 1, carry their run and time, and come as they were written', () => {
  let time = 100
  const log = open(() => time++)
  say(log, 'a')
  log.appendText('tool_started', JSON.stringify({ tool_call_id: 'c', name: 'ls', args: {} }))
  assert.equal(readAll(log), [
    { type: 'message_delta', run_id: 'r', thread_id: 'T', seq: 1, time: 100, text: 'a', message_id: 'm' },
    { type: 'tool_started', run_id: 'r', thread_id: 'T', seq: 2, time: 101, tool_call_id: 'c', name: 'ls', args: {} },
  ])
})

test('below the bound of a reader nothing is joined', () => {
  const log = open()
  for (let i = 0; i < 1000; i++) say(log, 'x')
  const events = readAll(log)
  assert.is(events.length, 1000)
  assert.ok(events.every(({ seq_from }) => seq_from === undefined))
})

test('over it older text is joined, nothing of it is lost, and no text grows over its bound', () => {
  const log = open()
  let said = ''
  for (let i = 0; i < 40_000; i++) {
    const text = `word ${i} `
    said += text
    say(log, text, `m${Math.floor(i / 10_000)}`)
  }
  const events = readAll(log)
  covered(events)
  assert.is(events.at(-1)?.seq, 40_000)
  assert.is(textOf(events), said)
  assert.ok(events.length < 20_000, `${events.length} events stand for 40000`)
  assert.ok(events.some(({ seq_from }) => seq_from !== undefined))
  assert.ok(events.every((event) => event.type === 'message_delta' && event.text.length <= EVENT_TEXT_MAX))
  assert.ok(weigh(events) < LOG_BYTES_MAX)
  for (const event of events.slice(-100)) assert.is(event.seq_from, undefined, 'the latest stay as they are')
})

test('of joined progress the newest of each task stands', () => {
  const log = open()
  for (let i = 1; i <= 2000; i++) progress(log, i % 100 < 50 ? 'a' : 'b', 'x'.repeat(1000), i)
  const events = readAll(log)
  covered(events)
  const joined = events.filter(({ seq_from }) => seq_from !== undefined)
  assert.ok(joined.length > 5)
  for (const event of joined) {
    assert.is(event.type, 'task_running')
    if (event.type === 'task_running') assert.is(event.message_index, event.seq)
  }
})

const apart: readonly EventType[] = [
  'message',
  'tool_started',
  'tool_finished',
  'warning',
  'state',
  'message_discarded',
]

for (const type of apart) {
  test(`${type} is never joined, and nothing is joined across it`, () => {
    const log = open()
    for (let i = 0; i < 600; i++) {
      say(log, 'x'.repeat(400))
      say(log, 'y'.repeat(400))
      log.appendText(type, JSON.stringify({ name: `${i}` }))
    }
    const events = readAll(log)
    covered(events)
    assert.ok(
      events.some(({ seq_from }) => seq_from !== undefined),
      'text around it is',
    )
    for (const event of events) {
      if (event.type === type) assert.is(event.seq_from, undefined)
      if (event.type === 'message_delta' && event.seq_from) assert.is(event.seq - event.seq_from, 1)
    }
  })
}

const floods: readonly {
  readonly name: string
  readonly count: number
  readonly write: (log: EventLog, i: number) => void
}[] = [
  { name: 'warnings', count: 1500, write: (log, i) => warn(log, `${i} ${'x'.repeat(EVENT_TEXT_MAX - 10)}`) },
  { name: 'tiny events', count: 30_000, write: (log) => log.append('state', { agent: 'lead', value: 'x' }) },
  { name: 'texts of many messages', count: 12_000, write: (log, i) => say(log, 'x'.repeat(100), `m${i}`) },
  {
    name: 'progress of tasks in turn',
    count: 3000,
    write: (log, i) => progress(log, `t${i % 7}`, 'x'.repeat(2000), i),
  },
  {
    name: 'progress in a script of two bytes',
    count: 3000,
    write: (log, i) => progress(log, `t${i % 7}`, '界'.repeat(2000), i),
  },
  { name: 'texts in a script of two bytes', count: 12_000, write: (log, i) => say(log, '界'.repeat(100), `m${i}`) },
]

for (const { name, count, write } of floods) {
  test(`a flood of ${name} stays under the bound of the log, and what is missing is one gap`, () => {
    const log = open()
    start(log, 'before')
    let most = 0
    for (let i = 0; i < count; i++) {
      write(log, i)
      if (i % (count / 6) === 0) most = Math.max(most, weigh(readAll(log)))
    }
    end(log, 'before', 'the result')
    const events = readAll(log)
    covered(events)
    assert.ok(most < LOG_BYTES_MAX, `${most} bytes`)
    assert.is(events.filter(({ type }) => type === 'gap').length, 1)
    assert.equal([events[0]?.type, events[1]?.type, events.at(-1)?.type], ['task_started', 'gap', 'task_completed'])
    assert.ok(weigh(events) > LOG_BYTES_MAX / 4, 'no more is dropped than must be')
  })
}

test('starts and ends are never dropped, wherever they stand', () => {
  const log = open()
  for (let i = 0; i < 500; i++) {
    start(log, `t${i}`)
    for (let j = 0; j < 10; j++) warn(log, 'x'.repeat(1000))
    end(log, `t${i}`, `result ${i}`)
  }
  const events = readAll(log)
  covered(events)
  for (const type of ['task_started', 'task_completed']) {
    const ids = events.flatMap((event) => (event.type === type && 'task_id' in event ? event.task_id : []))
    assert.equal(
      ids,
      Array.from({ length: 500 }, (_, i) => `t${i}`),
    )
  }
  assert.ok(events.some(({ type }) => type === 'gap'))
  assert.ok(weigh(events) < LOG_BYTES_MAX)
})

test('a reader that keeps up misses nothing, even after a result larger than the log', () => {
  const log = open()
  const cursor = reader()
  log.attach(cursor)
  start(log, 't')
  end(log, 't', 'x'.repeat(3_000_000))
  const [, ended] = readAll(log, cursor)
  assert.is(ended?.type === 'task_completed' && ended.result.length, 3_000_000, 'the final result is whole')
  let said = ''
  for (let i = 0; i < 100; i++) {
    say(log, `word ${i} `)
    const [event, more] = readAll(log, cursor)
    assert.equal([event?.type, more], ['message_delta', undefined])
    said += event ? textOf([event]) : ''
  }
  assert.match(said, /^word 0 .*word 99 $/)
})

test('text is never joined across the place of a reader', () => {
  const log = open()
  for (let i = 0; i < 100; i++) say(log, 'x')
  const places = [10, 50, 51, 100]
  for (const place of places) log.attach(reader(place))
  const gone = reader(30)
  log.attach(gone)
  log.detach(gone)
  for (let i = 0; i < 30_000; i++) say(log, 'y')
  const events = readAll(log)
  const from = events.map(({ seq, seq_from }) => seq_from ?? seq)
  for (const place of places) assert.ok(from.includes(place), `an event begins at ${place}`)
  assert.not.ok(from.includes(30))
  for (const place of places) {
    const [first] = readAll(log, reader(place))
    assert.is(first?.seq_from ?? first?.seq, place)
  }
})

test('a reader may begin anywhere: amid joined text it gets the whole of it, in the future it waits', () => {
  const log = open()
  for (let i = 0; i < 30_000; i++) say(log, 'x')
  const [first] = readAll(log)
  assert.ok((first?.seq ?? 0) > 2)
  const [amid] = readAll(log, reader(2))
  assert.equal([amid?.seq_from, amid?.seq], [1, first?.seq])
  const ahead = reader(30_003)
  assert.is(log.read(ahead), undefined)
  for (const text of ['a', 'b', 'c', 'd']) say(log, text)
  assert.is(textOf(readAll(log, ahead)), 'cd')
})

test('a reader that is behind what was dropped gets one gap, and one amid it too', () => {
  const log = open()
  for (let i = 0; i < 3000; i++) warn(log, `${'x'.repeat(2000)} ${i}`)
  for (const place of [1, 2, 500]) {
    const [gap, next] = readAll(log, reader(place))
    assert.equal([gap?.type, gap?.seq_from], ['gap', place])
    assert.is(next?.seq, (gap?.seq ?? 0) + 1)
    assert.is(next?.type, 'warning')
  }
})

test('every reader is woken by every event and by the end, and one that left is not', () => {
  const log = open()
  const woken = [0, 0, 0]
  const cursors = woken.map((_, i): Cursor => ({ next: 1, wake: () => void woken.splice(i, 1, (woken[i] ?? 0) + 1) }))
  for (const cursor of cursors) log.attach(cursor)
  say(log, 'a')
  log.detach(must(cursors[2]))
  say(log, 'b')
  assert.is(log.closed, false)
  log.close()
  assert.equal([woken, log.closed], [[3, 3, 1], true])
  say(log, 'too late')
  assert.is(textOf(readAll(log)), 'ab')
})

test('readers that never read cost the log nothing', () => {
  const log = open()
  for (let i = 0; i < 50; i++) log.attach(reader())
  for (let i = 0; i < 30_000; i++) say(log, 'x'.repeat(50))
  assert.ok(weigh(readAll(log)) < LOG_BYTES_MAX)
  assert.ok(weigh(readAll(log)) > SUBSCRIBER_BYTES_MAX / 4)
})

test('a log that is full takes events as fast as an empty one', () => {
  const log = open()
  const began = performance.now()
  for (let i = 0; i < 100_000; i++) log.append('state', { agent: 'lead', value: 'x' })
  const passed = performance.now() - began
  assert.ok(passed < 8000, `${passed} ms`)
})

test.run()
