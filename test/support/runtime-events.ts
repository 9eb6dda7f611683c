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
}

const assertTasksLawful = (events: readonly RunEvent[]): void => {
  const open = new Map<string, 'queued' | 'started'>()
  const ended = new Set<string>()
  const told = new Map<string, number>()
  for (const event of events) {
    const id = taskOf(event)
    if (id === null) continue
    assert.not(ended.has(id), `${id}: ${event.type} after its end`)
    if (STARTS.includes(event.type)) {
      assert.is(
        open.get(id),
        event.type === 'task_started' && open.has(id) ? 'queued' : undefined,
        `${id}: ${event.type}`,
      )
      open.set(id, event.type === 'task_queued' ? 'queued' : 'started')
    } else if (ENDS.includes(event.type)) {
      assert.ok(open.delete(id), `${id}: ${event.type} without a start`)
      ended.add(id)
    } else {
      assert.is(open.get(id), 'started', `${id}: ${event.type} before its start`)
    }
    if (event.type !== 'task_running') continue
    if (event.seq_from === undefined)
      assert.is(event.message_index, (told.get(id) ?? 0) + 1, `${id}: messages are counted`)
    told.set(id, event.message_index)
  }
  assert.equal([...open.keys()], [], 'every start has its end')
}
