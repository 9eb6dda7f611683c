import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { RunEvent } from '../../src/contract/events.ts'
import { createEventLog, type EventLog } from '../../src/runtime/event-log.ts'
import { createRun } from '../../src/runtime/run.ts'
import type { Supervisor } from '../../src/runtime/supervisor.ts'
import { watchLog } from '../../src/runtime/watch.ts'
import { runOf } from '../support/runtime-assignment.ts'

const open = (): EventLog => createEventLog('r', 'T', () => 0)
const say = (log: EventLog, ...texts: string[]): void => {
  for (const text of texts) log.append('message_delta', { text, message_id: 'm' })
}
const text = (event: RunEvent | undefined): string =>
  event?.type === 'message_delta' ? event.text : (event?.type ?? 'nothing')
const all = async (events: AsyncIterable<RunEvent>): Promise<string> => {
  let texts = ''
  for await (const event of events) texts += text(event)
  return texts
}
const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve))

test('a reader replays what is there, follows what comes, and ends with the log', async () => {
  const log = open()
  say(log, 'a', 'b')
  const reading = all(watchLog(log, 1))
  await turn()
  say(log, 'c')
  await turn()
  say(log, 'd', 'e')
  log.close()
  assert.is(await reading, 'abcde')
  assert.is(await all(watchLog(log, 1)), 'abcde', 'a closed log can be read again')
  assert.is(await all(watchLog(log, 4)), 'de')
  assert.is(await all(watchLog(log, 99)), '')
})

for (const from of [0, -3]) {
  test(`reading from ${from} is reading from the start, where nothing is missing`, async () => {
    const state = runOf('r')
    say(state.log, 'a', 'b')
    state.log.close()
    const run = createRun(state, new Promise(() => {}), {} as Supervisor)
    assert.is(await all(run.watch({ from })), 'ab')
  })
}

test('several readers read the same, each at its own pace', async () => {
  const log = open()
  const fast = all(watchLog(log, 1))
  const slow = watchLog(log, 1)[Symbol.asyncIterator]()
  for (const each of ['a', 'b', 'c']) {
    say(log, each)
    await turn()
  }
  assert.is(text((await slow.next()).value), 'a')
  log.close()
  assert.is(await fast, 'abc')
  assert.is(text((await slow.next()).value), 'b')
  assert.is(text((await slow.next()).value), 'c')
  assert.equal(await slow.next(), { done: true, value: undefined })
})

test('reads that were asked for ahead are answered in their order, each with its own event', async () => {
  const log = open()
  const reader = watchLog(log, 1)[Symbol.asyncIterator]()
  const ahead = [reader.next(), reader.next(), reader.next(), reader.next(), reader.next()]
  say(log, 'a')
  await turn()
  say(log, 'b', 'c')
  await turn()
  say(log, 'd')
  log.close()
  const answers = await Promise.all(ahead)
  assert.equal(
    answers.map(({ done, value }) => (done ? 'done' : text(value))),
    ['a', 'b', 'c', 'd', 'done'],
  )
})

test('leaving early is told once, and ends what was asked for ahead', async () => {
  const log = open()
  let left = 0
  const reader = watchLog(log, 1, () => void left++)[Symbol.asyncIterator]()
  const ahead = [reader.next(), reader.next()]
  await turn()
  assert.equal(await reader.return?.(), { done: true, value: undefined })
  assert.equal(await Promise.all(ahead), [
    { done: true, value: undefined },
    { done: true, value: undefined },
  ])
  await reader.return?.()
  assert.is(left, 1)
  say(log, 'a')
  assert.is((await reader.next()).done, true)
})

const exits: readonly { readonly name: string; readonly closed: boolean; readonly left: number }[] = [
  { name: 'a loop that is left amid the log has left', closed: false, left: 1 },
  { name: 'a loop that is left when the log has ended has not', closed: true, left: 0 },
]

for (const { name, closed, left } of exits) {
  test(name, async () => {
    const log = open()
    say(log, 'a', 'b')
    if (closed) log.close()
    let told = 0
    for await (const event of watchLog(log, 1, () => void told++)) if (text(event) === 'a') break
    assert.is(told, left)
  })
}

test('a loop that runs to the end has not left', async () => {
  const log = open()
  say(log, 'a')
  log.close()
  let told = 0
  for await (const _ of watchLog(log, 1, () => void told++));
  assert.is(told, 0)
})

test('each iteration begins anew', async () => {
  const log = open()
  say(log, 'a', 'b')
  log.close()
  const events = watchLog(log, 1)
  assert.equal([await all(events), await all(events)], ['ab', 'ab'])
})

test('a reader that left is no longer woken, and one that never reads holds nobody up', async () => {
  const log = open()
  const idle = watchLog(log, 1)[Symbol.asyncIterator]()
  const gone = watchLog(log, 1)[Symbol.asyncIterator]()
  await gone.return?.()
  say(log, 'a')
  log.close()
  assert.is(await all(watchLog(log, 1)), 'a')
  assert.is(text((await idle.next()).value), 'a')
})

test.run()
