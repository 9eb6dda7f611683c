import * as assert from 'uvu/assert'
import type { EventOf, EventType, RunEvent } from '../../src/contract/events.ts'

const STARTS: readonly string[] = ['task_queued', 'task_started']
const ENDS: readonly string[] = ['task_completed', 'task_failed', 'task_cancelled', 'task_timed_out']

/** All events of a run, to its end. */
export const collect = async (events: AsyncIterable<RunEvent>): Promise<readonly RunEvent[]> => {
  const all: RunEvent[] = []
  for await (const event of events) all.push(event)
  return all
}

export const ofType = <T extends EventType>(events: readonly RunEvent[], type: T): readonly EventOf<T>[] =>
  events.filter((event): event is EventOf<T> => event.type === type)

export const taskOf = (event: RunEvent): string | null =>
  'task_id' in event && event.type !== 'warning' ? (event.task_id ?? null) : null

/** The types of one task's events, in their order, with repeats of progress told once. */
export const storyOf = (events: readonly RunEvent[], taskId: string): string =>
  events
    .filter((event) => taskOf(event) === taskId && event.type !== 'task_delta')
    .map(({ type }) => type.replace('task_', ''))
    .filter((type, i, all) => type !== 'running' || all[i - 1] !== 'running')
    .join(' ')

/** What holds of the events of every run, however it ended. */
export const assertLawful = (events: readonly RunEvent[]): void => {
  assert.is(events[0]?.type, 'run_started', 'begins with run_started')
  assert.is(events.at(-1)?.type, 'run_finished', 'ends with run_finished')
  assert.is(ofType(events, 'run_started').length, 1, 'starts once')
  assert.is(ofType(events, 'run_finished').length, 1, 'finishes once')
  let seq = 0
  for (const event of events) {
    assert.is(event.seq_from ?? event.seq, seq + 1, `no number is missing before ${event.type}`)
    seq = event.seq
  }
  assertTasksLawful(events)
  const callsOf = (type: 'tool_started' | 'tool_finished') => ofType(events, type).map((event) => event.tool_call_id)
  assert.equal(callsOf('tool_finished').sort(), callsOf('tool_started').sort(), 'each call that starts ends once')
}

const stageOf = (type: string): 'start' | 'end' | 'amid' => {
  if (STARTS.includes(type)) return 'start'
  return ENDS.includes(type) ? 'end' : 'amid'
}

/** Messages are counted from 1, and what was joined only skips. */
const assertCounted = (id: string, events: readonly RunEvent[]): void => {
  let told = 0
  for (const { message_index, seq_from } of ofType(events, 'task_running')) {
    if (seq_from === undefined) assert.is(message_index, told + 1, `${id}: messages are counted`)
    told = message_index
  }
}

/** Queued at most once, started at most once, then what happens, then one end, and nothing after it. */
const assertTaskLawful = (id: string, events: readonly RunEvent[]): void => {
  const types = events.map(({ type }) => type)
  const stages = types.map(stageOf)
  const starts = types.filter((_, i) => stages[i] === 'start')
  assert.ok(starts.length > 0, `${id}: has a start: ${types}`)
  assert.is(stages.lastIndexOf('start'), starts.length - 1, `${id}: starts come first: ${types}`)
  assert.is(new Set(starts).size, starts.length, `${id}: starts but once: ${types}`)
  assert.ok(types.indexOf('task_queued') <= 0, `${id}: waits before it starts: ${types}`)
  assert.is(stages.indexOf('end'), stages.length - 1, `${id}: has one end, and it is the last: ${types}`)
  if (stages.includes('amid')) assert.ok(types.includes('task_started'), `${id}: starts before it acts: ${types}`)
  assertCounted(id, events)
}

const assertTasksLawful = (events: readonly RunEvent[]): void => {
  const byTask = new Map<string, RunEvent[]>()
  for (const event of events) {
    const id = taskOf(event)
    if (id !== null) byTask.set(id, [...(byTask.get(id) ?? []), event])
  }
  for (const [id, own] of byTask) assertTaskLawful(id, own)
}
