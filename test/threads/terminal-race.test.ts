import { once } from 'node:events'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { MessageChannel, type MessagePort, receiveMessageOnPort, Worker } from 'node:worker_threads'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { AgentRef } from '../../src/contract/envelopes.ts'
import type { RunEvent } from '../../src/contract/events.ts'
import { allocateControl } from '../../src/control/control.ts'
import { compiled } from '../support/compiled.ts'
import { allocateRace, meet, RaceWord, spin } from '../support/race-barrier.ts'
import {
  endOf,
  LEAD_THREAD,
  reportOf,
  SETTLE_MS,
  supervise,
  TASK_THREAD,
  TIMEOUT_MS,
} from '../support/supervised-run.ts'

type Host = ReturnType<typeof supervise>
type Run = ReturnType<Host['begin']>

/** Delivers what lies in the port of the task's thread. */
const deliver = (host: Host, port: MessagePort): void => {
  for (let entry = receiveMessageOnPort(port); entry; entry = receiveMessageOnPort(port)) {
    host.supervisor.receive(TASK_THREAD, entry.message)
  }
}

const finishLead = (host: Host, lead: AgentRef): void =>
  host.supervisor.receive(LEAD_THREAD, { type: 'items', items: [endOf(lead, reportOf('completed', ''))] })

const endsOf = (events: readonly RunEvent[]): readonly string[] =>
  events.map(({ type }) => type).filter((type) => /^task_(completed|failed|cancelled|timed_out)$/.test(type))

/** What leads up to the host's swap, and what makes it swap. */
interface Writer {
  readonly status: 'timed_out' | 'cancelled' | 'failed'
  prepare(host: Host, run: Run): void
  swap(host: Host): void
}

const forced = (host: Host): void => host.clock.advance(SETTLE_MS)

const writers: Readonly<Record<string, Writer>> = {
  deadline: { status: 'timed_out', prepare: ({ clock }) => clock.advance(TIMEOUT_MS), swap: forced },
  cancel: {
    status: 'cancelled',
    prepare: ({ supervisor }, { run }) => supervisor.stopTask(run, 'c1', null),
    swap: forced,
  },
  close: {
    status: 'cancelled',
    prepare: ({ supervisor }, { run }) => supervisor.stopRun(run, 'close', null),
    swap: forced,
  },
  'thread loss': {
    status: 'failed',
    prepare: () => {},
    swap: ({ supervisor }) => supervisor.giveUp(TASK_THREAD, 'wedged'),
  },
}

const ROUNDS_MAX = 5000
/** A few milliseconds. */
const HANDICAP_MAX = 1 << 20

/** A thread that plays one agent after the other, each against a writer of the host's; `plain`: without the swap. */
const startRace = (plain: boolean) => {
  const control = allocateControl(2, 8)
  const race = allocateRace()
  race[RaceWord.plain] = Number(plain)
  const { port1, port2 } = new MessageChannel()
  port1.unref()
  const host = supervise(control, (thread) => thread === TASK_THREAD && deliver(host, port1))
  const workerData = { slab: control.slab, race, port: port2 }
  const worker = new Worker(compiled('support/race-agent.entry.ts'), { workerData, transferList: [port2] })

  /** One round. `handicap` is how much longer the agent waits than the host, in spins. */
  const compete = (round: number, writer: Writer, handicap: number) => {
    const run = host.begin()
    const task = run.delegate()
    writer.prepare(host, run)
    race[RaceWord.slot] = task.slot
    race[RaceWord.generation] = task.generation
    race[RaceWord.spins] = Math.max(0, handicap)
    Atomics.store(race, RaceWord.round, round)
    Atomics.notify(race, RaceWord.round)
    meet(race, RaceWord.ready, round)
    Atomics.store(race, RaceWord.go, round)
    spin(race, Math.max(0, -handicap))
    writer.swap(host)
    const hostSays = run.run.tasks.get('c1')?.status
    meet(race, RaceWord.done, round)
    deliver(host, port1)
    finishLead(host, run.lead)
    return { run, task, hostSays, agentWon: race[RaceWord.won] === 1, standing: control.standing(task) }
  }
  return { compete, stop: () => worker.terminate(), ready: once(worker, 'online') }
}

type Round = ReturnType<ReturnType<typeof startRace>['compete']>

/** Races until both have won, and at least `rounds` times; after each round the one that lost gets a little ahead. */
const raceRounds = async (writer: Writer, plain: boolean, rounds: number, look: (round: Round) => void) => {
  const race = startRace(plain)
  await race.ready
  const wins = { agent: 0, host: 0 }
  let handicap = 0
  let step = 64
  let last = false
  try {
    for (let n = 1; n <= rounds || (n <= ROUNDS_MAX && (wins.agent === 0 || wins.host === 0)); n++) {
      const round = race.compete(n, writer, handicap)
      look(round)
      const agentFirst = round.hostSays === 'completed'
      wins[agentFirst ? 'agent' : 'host']++
      step = agentFirst === last ? Math.min(step * 2, HANDICAP_MAX) : Math.max(step >> 1, 1)
      last = agentFirst
      handicap = Math.max(-HANDICAP_MAX, Math.min(HANDICAP_MAX, handicap + (agentFirst ? step : -step)))
    }
  } finally {
    await race.stop()
  }
  return wins
}

for (const [name, writer] of Object.entries(writers)) {
  test(`the agent against ${name}: one wins each round, the end is the winner's, and each wins some`, async () => {
    const wins = await raceRounds(writer, false, 2000, ({ run, task, hostSays, agentWon, standing }) => {
      const status = agentWon ? 'completed' : writer.status
      assert.is(hostSays, status)
      assert.equal(endsOf(run.events()), [`task_${status}`])
      const row = run.run.result?.delegations[0]
      assert.is(row?.status, status)
      assert.is(row?.result, agentWon ? `of ${task.slot} ${task.generation}` : null)
      assert.is(standing, 'gone')
    })
    assert.ok(wins.agent > 0 && wins.host > 0, JSON.stringify(wins))
  })
}

test('a plain store in place of the swap is caught: both say that they won', async () => {
  let both = 0
  await raceRounds(writers['cancel'] as Writer, true, 200, ({ hostSays, agentWon }) => {
    if (agentWon && hostSays === 'cancelled') both++
  })
  assert.ok(both > 0)
})

const CROWD = 32

/** A thread that ends its agents one after the other is terminated when the first ones have ended. */
const killAmidst = async (first: number) => {
  const control = allocateControl(2, CROWD * 2)
  const { port1, port2 } = new MessageChannel()
  const host = supervise(control, (thread) => thread === TASK_THREAD && deliver(host, port1))
  const runs = Array.from({ length: CROWD }, () => host.begin())
  const refs = runs.map((run) => run.delegate())
  const race = allocateRace()
  race[RaceWord.spins] = 200 * first
  const workerData = { slab: control.slab, race, port: port2, refs }
  const worker = new Worker(compiled('support/race-crowd.entry.ts'), { workerData, transferList: [port2] })
  const gone = once(worker, 'exit')
  while (Atomics.load(race, RaceWord.done) < first) await nextTurn()
  void worker.terminate()
  await gone
  deliver(host, port1)
  host.supervisor.threadGone(TASK_THREAD)
  port1.close()
  for (const { lead } of runs) finishLead(host, lead)
  return runs
}

test('a thread that is terminated while its agents end: each ends once, as it swapped or as lost', async () => {
  const seen = new Set<string>()
  for (let round = 0; round < 20; round++) {
    const runs = await killAmidst(1 + round)
    for (const [index, { run, events }] of runs.entries()) {
      const { status = '', result } = run.result?.delegations[0] ?? {}
      seen.add(status)
      assert.equal(endsOf(events()), [`task_${status}`])
      assert.is(result, status === 'completed' ? `agent ${index}` : null)
    }
  }
  assert.equal([...seen].sort(), ['completed', 'failed'])
})

test.run()
