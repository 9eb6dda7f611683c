import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createAdmission } from '../../src/runtime/admission.ts'
import type { Assignment, RunState } from '../../src/runtime/tracked.ts'

/** What admission looks at of a run whose lead may have so many subagents at once. */
const runOf = (id: string, maxConcurrent: number): RunState =>
  ({ id, lead: { envelope: { delegation: { maxConcurrent } } } }) as unknown as RunState

/** Admission over one thread with so many places, and who was started, in order. */
const open = (perThread: number) => {
  const started: string[] = []
  const tasks = new Map<string, Assignment>()
  const get = (id: string): Assignment => tasks.get(id) ?? ({} as Assignment)
  const admission = createAdmission({
    perThread,
    threads: () => [0],
    hasSlot: () => true,
    admit: ({ taskId }) => void started.push(taskId ?? ''),
  })
  return {
    started,
    ask(run: RunState, ...ids: readonly string[]) {
      return ids.map((id) => {
        const task = { taskId: id, run } as Assignment
        tasks.set(id, task)
        return admission.ask(task)
      })
    },
    end(id: string) {
      admission.leave(get(id), 0)
      admission.pump()
    },
    withdraw(id: string) {
      admission.withdraw(get(id))
      admission.pump()
    },
  }
}

test('a run starts as many as it may have at once, and the rest wait in order', () => {
  const { started, ask, end } = open(100)
  assert.equal(ask(runOf('a', 2), 'a1', 'a2', 'a3', 'a4'), [0, 0, 1, 2])
  assert.equal(started, ['a1', 'a2'])
  end('a2')
  assert.equal(started, ['a1', 'a2', 'a3'])
  end('a1')
  end('a3')
  end('a4')
  assert.equal(started, ['a1', 'a2', 'a3', 'a4'])
})

test('a run whose places are taken holds up nobody else', () => {
  const { started, ask } = open(100)
  ask(runOf('a', 1), 'a1', 'a2', 'a3')
  assert.equal(ask(runOf('b', 2), 'b1', 'b2', 'b3'), [0, 0, 1])
  assert.equal(started, ['a1', 'b1', 'b2'])
})

test('for places on threads runs take turns, each within its own limit', () => {
  const { started, ask, end } = open(2)
  const [a, b] = [runOf('a', 2), runOf('b', 1)]
  assert.equal(ask(a, 'a1', 'a2', 'a3', 'a4'), [0, 0, 1, 2])
  assert.equal(ask(b, 'b1', 'b2'), [1, 2])
  end('a1')
  assert.equal(started.slice(2), ['b1'], 'b waited first for a thread: a waited for itself')
  end('a2')
  assert.equal(started.slice(2), ['b1', 'a3'], 'b has its one')
  end('b1')
  assert.equal(started.slice(2), ['b1', 'a3', 'a4'])
  end('a3')
  assert.equal(started.slice(2), ['b1', 'a3', 'a4', 'b2'])
})

test('what is withdrawn while it waits never starts, and frees its place in the queue', () => {
  const { started, ask, end, withdraw } = open(1)
  ask(runOf('a', 1), 'a1', 'a2', 'a3')
  ask(runOf('b', 3), 'b1', 'b2')
  withdraw('a2')
  withdraw('b1')
  end('a1')
  assert.equal(started, ['a1', 'b2'])
  end('b2')
  assert.equal(started, ['a1', 'b2', 'a3'])
})

test('a run without a limit of its own is held by threads alone', () => {
  const { started, ask } = open(3)
  assert.equal(ask({ id: 'a', lead: null } as unknown as RunState, 'a1', 'a2', 'a3', 'a4'), [0, 0, 0, 1])
  assert.is(started.length, 3)
})

/** Three runs on one thread; what happens to them is chance, told by `below`. */
const openAtRandom = (below: (n: number) => number) => {
  const perThread = 1 + below(4)
  const { started, ask, end, withdraw } = open(perThread)
  const runs = [1, 2, 3].map((n) => ({ id: `r${n}`, limit: 1 + below(3) }))
  const [waiting, live, ended] = [new Set<string>(), new Set<string>(), new Set<string>()]
  const any = (ids: Set<string>): string | undefined => [...ids][below(ids.size || 1)]

  const check = (): void => {
    for (const id of started) {
      if (!ended.has(id)) live.add(id)
      waiting.delete(id)
    }
    assert.ok(live.size <= perThread, 'no thread is over its places')
    for (const { id, limit } of runs)
      assert.ok([...live].filter((task) => task.startsWith(`${id}.`)).length <= limit, 'no run is over its limit')
  }
  const finishOne = (): boolean => {
    const id = any(live)
    if (id === undefined) return false
    live.delete(id)
    ended.add(id)
    end(id)
    check()
    return true
  }
  const withdrawOne = (): void => {
    const id = any(waiting)
    if (id === undefined) return
    waiting.delete(id)
    withdraw(id)
    assert.not(started.includes(id))
  }
  return {
    waiting,
    finishOne,
    step(n: number): void {
      const kind = below(4)
      const { id, limit } = runs[below(3)] ?? { id: '', limit: 0 }
      if (kind < 2) {
        waiting.add(`${id}.${n}`)
        ask(runOf(id, limit), `${id}.${n}`)
      } else if (kind === 2) finishOne()
      else withdrawOne()
      check()
    },
  }
}

test('whatever happens, limits hold and nobody is forgotten', () => {
  let seed = 7
  const below = (n: number): number => {
    seed = (seed * 1103515245 + 12345) & 0x7fffffff
    return (seed >> 8) % n
  }
  for (let round = 0; round < 300; round++) {
    const { waiting, step, finishOne } = openAtRandom(below)
    for (let n = 0; n < 60; n++) step(n)
    while (finishOne());
    assert.equal([...waiting], [], 'nobody waits when nobody works')
  }
})

test.run()
