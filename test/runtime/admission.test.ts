import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createAdmission } from '../../src/runtime/admission.ts'
import { type Assignment, isLead } from '../../src/runtime/tracked.ts'
import { assignmentOf, runOf } from '../support/runtime-assignment.ts'
import { must } from '../support/runtime-script.ts'

interface Stage {
  readonly perThread?: number
  readonly threads?: number[]
  slots?: number
}

/** Agents are named: `A` is the lead of run A, `A1` its first subagent. Says who started where, in the order of it. */
const stage = ({ perThread = 1, threads = [0], slots = 100 }: Stage) => {
  const runs = new Map<string, Assignment['run']>()
  const agents = new Map<string, Assignment>()
  const placed = new Map<Assignment, number>()
  const log: string[] = []
  const state = { threads, slots }
  const agent = (name: string): Assignment => {
    const [id = '', number] = [name.charAt(0), name.slice(1)]
    const run = runs.get(id) ?? runOf(id)
    runs.set(id, run)
    const found = agents.get(name) ?? assignmentOf({ run, taskId: number ? name : null, description: name })
    agents.set(name, found)
    return found
  }
  const admission = createAdmission({
    perThread,
    threads: () => state.threads,
    hasSlot: () => state.slots > 0,
    admit(assignment, thread) {
      state.slots--
      placed.set(assignment, thread)
      log.push(`${isLead(assignment) ? assignment.run.id : assignment.taskId}@${thread}`)
    },
  })
  const end = (name: string): void => {
    const assignment = agent(name)
    admission.leave(assignment, must(placed.get(assignment)))
    state.slots++
    admission.pump()
  }
  return {
    admission,
    agent,
    end,
    state,
    log,
    ask: (...names: string[]) => names.map((name) => admission.ask(agent(name))),
  }
}

test('who finds a place starts at once, and who does not is told its place in the queue', () => {
  const { ask, log } = stage({ perThread: 2 })
  assert.equal(ask('A1', 'A2', 'A3', 'B1', 'B2'), [0, 0, 1, 2, 3])
  assert.equal(log, ['A1@0', 'A2@0'])
})

test('leads and subagents have places of their own, so leads that wait never starve their subagents', () => {
  const { ask, log } = stage({})
  assert.equal(ask('A', 'B', 'A1', 'B1'), [0, 1, 0, 1])
  assert.equal(log, ['A@0', 'A1@0'])
})

test('the thread with the fewest of its kind is taken, and one that is full is not', () => {
  const { ask, end, log } = stage({ threads: [0, 1, 2], perThread: 2 })
  ask('A1', 'A2', 'A3', 'A4', 'A', 'B')
  assert.equal(log.splice(0), ['A1@0', 'A2@1', 'A3@2', 'A4@0', 'A@0', 'B@1'])
  end('A3')
  assert.equal(ask('A5', 'A6', 'A7', 'A8'), [0, 0, 0, 1])
  assert.equal(log, ['A5@2', 'A6@1', 'A7@2'])
})

test('runs take turns: one that asks for much keeps no other waiting', () => {
  const { ask, end, log } = stage({})
  ask('A1', 'A2', 'A3', 'A4', 'B1', 'B2', 'C1')
  for (const name of ['A1', 'A2', 'B1', 'C1', 'A3', 'B2', 'A4']) end(name)
  assert.equal(log, ['A1@0', 'A2@0', 'B1@0', 'C1@0', 'A3@0', 'B2@0', 'A4@0'])
})

test('leads are served in the order in which they asked', () => {
  const { ask, end, log } = stage({})
  ask('A', 'B', 'C')
  end('A')
  end('B')
  assert.equal(log, ['A@0', 'B@0', 'C@0'])
})

test('nobody overtakes who waits already, even where there is room again', () => {
  const { ask, admission, state, log } = stage({ threads: [] })
  ask('A1', 'B')
  state.threads.push(0)
  assert.equal(ask('C1', 'D'), [2, 2])
  assert.equal(log, [])
  admission.pump()
  assert.equal(log, ['B@0', 'A1@0'])
})

test('who is withdrawn neither starts nor counts', () => {
  const { ask, admission, agent, end, log } = stage({})
  ask('A1', 'A2', 'A3', 'B1', 'X', 'Y', 'Z')
  for (const name of ['A2', 'B1', 'Y', 'Y', 'A1', 'unknown1']) admission.withdraw(agent(name))
  assert.equal(ask('C1', 'W'), [2, 2])
  for (const name of ['A1', 'A3', 'X', 'Z']) end(name)
  assert.equal(log, ['A1@0', 'X@0', 'A3@0', 'C1@0', 'Z@0', 'W@0'])
})

test('without a free slot in shared memory everybody waits', () => {
  const { ask, admission, state, log } = stage({ perThread: 10, slots: 1 })
  assert.equal(ask('A', 'A1', 'A2'), [0, 1, 2])
  state.slots = 1
  admission.pump()
  assert.equal(log, ['A@0', 'A1@0'])
})

test('a thread that is gone takes its places with it, and what it held leaves them whole', () => {
  const { ask, end, state, log } = stage({ threads: [0, 1] })
  ask('A1', 'A2', 'A3')
  state.threads.shift()
  end('A1')
  assert.equal(log, ['A1@0', 'A2@1'], 'its place is not given out again')
  state.threads.push(0)
  end('A2')
  assert.equal(log.slice(2), ['A3@1'])
  assert.equal(ask('B1'), [0])
  assert.equal(log.slice(3), ['B1@0'])
})

test.run()
