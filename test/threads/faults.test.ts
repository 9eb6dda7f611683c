import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Worker } from 'node:worker_threads'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Run, RunOptions, Runtime } from '../../src/contract/api.ts'
import type { ScriptedRequest } from '../../src/testing/scripted-model.ts'
import { call, callTools, type ScriptedCall, say } from '../../src/testing/scripted-reply.ts'
import { project } from '../support/built.ts'
import { assertLawful, collect, ofType } from '../support/runtime-events.ts'
import { fixtureTool, type Scene, scene, until, wait, within } from '../support/runtime-scene.ts'
import { inTurns, latch, must, type Part, silence, turnOf } from '../support/runtime-script.ts'

const task = (prompt: string, id: string): ScriptedCall => call('task', { prompt }, id)
const MANY: RunOptions = { maxConcurrentSubagents: 64, maxTotalSubagents: 50 }
const LOST = 'The thread that ran the agent was lost.'

/** Every agent thread that this process has started, as one from outside sees it. */
const workers: Worker[] = []
process.on('worker', (worker) => workers.push(worker))
const threadOf = (id: string | undefined): Worker => must(workers.find(({ threadId }) => String(threadId) === id))

const tools = ['where', 'exits', 'strays', 'throwsLate', 'blocks', 'loops', 'instant'].map((name) => fixtureTool(name))

const isSubAt = (turn: number) => (request: ScriptedRequest) => {
  const at = turnOf(request)
  return at.prompt.startsWith('sub') && at.turn === turn
}

/** Says on which thread it is, then waits for `gate`. */
const placed =
  (gate: Promise<unknown>, threads: Map<string, string>): Part =>
  async ({ prompt, turn, results }) => {
    if (turn === 0) return { text: `partial of ${prompt}`, toolCalls: [call('where')] }
    threads.set(prompt, results[0] ?? '')
    await gate
    return say(`${prompt} finished`)
  }

const completes = async (run: Run): Promise<void> => {
  const { status, error } = await within(10_000, 'a run completes', run.result)
  assert.equal([status, error], ['completed', null])
}

/** All threads are there, and each of them takes agents. */
const assertWhole = async (runtime: Runtime, threads: number): Promise<void> => {
  await until(10_000, 'the pool is whole', () => runtime.stats().threads.alive === threads)
  await Promise.all(Array.from({ length: threads * 2 }, () => completes(runtime.run('next'))))
  assert.is(runtime.stats().threads.alive, threads)
}

/** 40 subagents on two threads, and one of the threads ends. */
const loseAThread = (how: string, end: (thread: Worker, scene: Scene) => void, kill: Part) => {
  const gate = latch()
  const where = new Map<string, string>()
  const sub = placed(gate.opened, where)
  test(
    `a thread ${how} with 20 agents on it: each fails once with its partial work, the other thread's go on`,
    scene(
      {
        config: { tools, runtime: { threads: 2 } },
        ms: 40_000,
        parts: {
          lead: inTurns(
            callTools(call('where')),
            ({ results }) => {
              where.set('lead', results[0] ?? '')
              return callTools(...Array.from({ length: 40 }, (_, i) => task(`sub ${i}`, `t${i}`)))
            },
            ({ results }) => say(JSON.stringify(results)),
          ),
          sub,
          killer: kill,
          next: inTurns(callTools(call('where')), say('done')),
        },
      },
      async (open) => {
        const { runtime, model } = open
        const run = runtime.run('lead', MANY)
        const log = collect(run)
        await until(15_000, 'all subagents wait', () => model.requests.filter(isSubAt(1)).length === 40)
        // What an agent says goes out with its turn of the loop, a moment behind its request.
        await wait(200)
        const own = where.get('lead') ?? ''
        const lost = [...where].filter(([, thread]) => thread !== own).map(([prompt]) => prompt)
        assert.is(lost.length, 20, 'half of them share no thread with the lead')
        end(threadOf(where.get(must(lost[0]))), open)
        await until(10_000, 'the loss is seen', () => runtime.stats().tasks.running === 20)
        gate.open()
        const { status, text, delegations } = await within(15_000, 'the run ends', run.result)
        const events = await log
        assertLawful(events)
        assert.is(status, 'completed')
        const results = JSON.parse(text)
        for (const [i, { status, error, partial, usage }] of delegations.entries()) {
          const prompt = `sub ${i}`
          if (lost.includes(prompt)) {
            assert.equal([status, error], ['failed', LOST])
            assert.equal(partial, { text: `partial of ${prompt}`, files: [] })
            assert.is(usage?.total_tokens, 110)
            assert.is(results[i], `Task failed. Error: ${LOST}\n\nPartial result:\npartial of ${prompt}`)
          } else {
            assert.equal([status, results[i]], ['completed', `Task Succeeded. Result: ${prompt} finished`])
          }
        }
        assert.equal([ofType(events, 'task_failed').length, ofType(events, 'task_completed').length], [20, 20])
        await assertWhole(runtime, 2)
        assert.is(runtime.stats().threads.replaced, 1)
      },
    ),
  )
}

loseAThread('terminated from outside', (thread) => void thread.terminate(), inTurns(silence))

test(
  'a tool that exits its thread costs the agents of that thread, lead included, and nobody else',
  scene(
    {
      config: { tools, runtime: { threads: 1 } },
      parts: {
        lead: inTurns({ text: 'let us see', toolCalls: [task('exit', 'a'), task('sub', 'b')] }, say('done')),
        exit: async () => {
          await wait(300)
          return callTools(call('exits'))
        },
        sub: inTurns({ text: 'half', toolCalls: [call('where')] }, silence),
        next: inTurns(callTools(call('where')), say('done')),
      },
    },
    async ({ runtime, model }) => {
      const run = runtime.run('lead')
      const events = await within(10_000, 'it ends', collect(run))
      assertLawful(events)
      const { status, error, text, turns, usage, delegations } = await run.result
      assert.equal([status, error], ['failed', { code: 'THREAD_LOST', message: LOST }])
      assert.equal([text, turns], ['let us see', 1])
      assert.is(usage.total_tokens, 110 * 3)
      assert.equal(
        delegations.map(({ status, error, partial }) => [status, error, partial?.text ?? null]),
        [
          ['failed', LOST, null],
          ['failed', LOST, 'half'],
        ],
      )
      await until(3000, 'its sockets close', () => model.inFlight() === 0)
      await assertWhole(runtime, 1)
    },
  ),
)

test(
  'agents that wait for a place outlive the only thread and start on its replacement',
  scene(
    {
      config: { tools, runtime: { threads: 1, agents_per_thread: 2 } },
      parts: { lead: () => silence, next: inTurns(callTools(call('where')), say('done')) },
    },
    async ({ runtime, model }) => {
      const lost = [runtime.run('lead one'), runtime.run('lead two')]
      await until(5000, 'both think', () => model.requests.length === 2)
      const waiting = [runtime.run('next'), runtime.run('next'), runtime.run('next')]
      workers.at(-1)?.terminate()
      for (const { result } of lost) assert.is((await within(10_000, 'it ends', result)).error?.code, 'THREAD_LOST')
      await Promise.all(waiting.map(completes))
      await assertWhole(runtime, 1)
    },
  ),
)

test('the calls of a lost agent outside its thread are stopped', async () => {
  let [home, signal]: [string, AbortSignal | undefined] = ['', undefined]
  const hold = {
    name: 'hold',
    invoke: (_: unknown, config?: unknown) => {
      signal = (config as { signal: AbortSignal }).signal
      return new Promise<never>(() => {})
    },
  }
  await scene(
    {
      hostTools: [hold],
      config: {
        tools: [...tools, fixtureTool('deaf', 'isolated')],
        runtime: { threads: 1, tool_processes: 1, grace_ms: 300 },
      },
      parts: {
        lead: inTurns(() => callTools(call('deaf', { folder: home }), call('hold')), say('done')),
        next: inTurns(callTools(call('where')), say('done')),
      },
    },
    async (open) => {
      home = open.home
      const { runtime } = open
      const run = runtime.run('lead')
      await until(10_000, 'both calls run', () => existsSync(join(home, 'begun')) && signal !== undefined)
      workers.at(-1)?.terminate()
      assert.is((await within(5000, 'it ends', run.result)).error?.code, 'THREAD_LOST')
      await until(5000, 'the process of the one is killed', () => runtime.stats().tool_processes.replaced === 1)
      assert.is(signal?.aborted, true, 'the other is told')
      await assertWhole(runtime, 1)
    },
  )()
})

for (const file of ['absent.mjs', 'throws-on-import.mjs', 'exits-on-import.mjs']) {
  test(
    `a runtime whose threads cannot start (${file}) fails its runs, and can be closed`,
    scene(
      {
        workerUrl: new URL(`test/threads/fixtures/${file}`, project),
        config: { runtime: { threads: 2 } },
        parts: { lead: () => say('never') },
      },
      async ({ runtime }) => {
        for (const run of [runtime.run('lead'), runtime.run('lead')]) {
          const { status, error } = await within(10_000, 'it ends', run.result)
          assert.is(status, 'failed')
          assert.match(error?.code ?? '', /^(THREAD_LOST|INTERNAL)$/)
          assertLawful(await collect(run.watch()))
        }
      },
    ),
  )
}

test(
  'a cancel that came before the loss of the thread decides how the agents end',
  scene({ config: { tools, runtime: { threads: 1 } }, parts: { lead: () => silence } }, async ({ runtime, model }) => {
    const run = runtime.run('lead')
    await until(5000, 'it thinks', () => model.requests.length === 1)
    run.cancel()
    workers.at(-1)?.terminate()
    assert.is((await within(5000, 'it ends', run.result)).status, 'cancelled')
  }),
)

test(
  'a stray rejection on an agent thread is a warning and costs nobody anything',
  scene(
    {
      config: { tools, runtime: { threads: 1 } },
      parts: {
        lead: inTurns(callTools(task('stray', 'a'), task('sub', 'b')), say('done')),
        stray: inTurns(callTools(call('strays')), callTools(call('strays')), say('found')),
        sub: inTurns(callTools(call('where')), { text: 'found', delayMs: 300 }),
      },
    },
    async ({ runtime }) => {
      const run = runtime.run('lead')
      const events = await collect(run)
      assertLawful(events)
      const warnings = ofType(events, 'warning')
      assert.is(warnings.length, 2)
      for (const { code, message } of warnings) {
        assert.is(code, 'thread')
        assert.match(message, /stray rejection.*: stray/)
      }
      assert.is(ofType(events, 'task_completed').length, 2)
      assert.equal(runtime.stats().threads, { alive: 1, replaced: 0 })
    },
  ),
)

/** Starts a run whose lead brings its thread down with an uncaught exception, and waits for `gate` there. */
const breaker =
  (gate: Promise<unknown>): Part =>
  async ({ turn }) => {
    if (turn === 0) return callTools(call('throwsLate'), call('where'))
    await gate
    return say('finished on the old thread')
  }

/** Waits until the run has heard that its thread is given up for new agents. */
const warned = async (run: Run): Promise<void> => {
  const heard = async (): Promise<void> => {
    for await (const { type } of run.watch()) if (type === 'warning') return
  }
  await within(10_000, 'the warning', heard())
}

test('an uncaught exception retires the thread: its agents finish there, new ones start on its replacement', async () => {
  const gate = latch()
  const where = new Map<string, string>()
  await scene(
    {
      config: { tools, runtime: { threads: 1 } },
      parts: {
        lead: inTurns(
          callTools(task('breaks', 'a'), task('sub one', 'b')),
          callTools(task('sub two', 'c')),
          ({ results }) => say(results.join()),
        ),
        breaks: breaker(gate.opened),
        sub: placed(gate.opened, where),
        next: inTurns(callTools(call('where')), say('done')),
      },
    },
    async ({ runtime, model }) => {
      const run = runtime.run('lead')
      const log = collect(run)
      await until(10_000, 'the neighbour waits', () => model.requests.some(isSubAt(1)))
      await warned(run)
      const old = threadOf(where.get('sub one'))
      await until(10_000, 'the replacement is there', () => runtime.stats().threads.alive === 1)
      await completes(runtime.run('next'))
      gate.open()
      const events = await within(10_000, 'the run ends', log)
      assertLawful(events)
      assert.is((await run.result).text, 'Task Succeeded. Result: sub two finished')
      assert.is(ofType(events, 'task_completed').length, 3)
      const [warning] = ofType(events, 'warning')
      assert.is(warning?.code, 'thread')
      assert.match(warning?.message ?? '', /retired after an uncaught exception: thrown late/)
      assert.is.not(where.get('sub one'), where.get('sub two'), 'a later subagent of the same lead starts elsewhere')
      await assertWhole(runtime, 1)
      await until(5000, 'the old thread is gone', () => old.threadId === -1)
      assert.is(runtime.stats().threads.replaced, 1)
    },
  )()
})

test(
  'an exception that comes when the last agent has gone costs nobody anything',
  scene(
    {
      config: { tools, runtime: { threads: 1 } },
      parts: {
        lead: inTurns(callTools(call('throwsLate', { ms: 400 }), call('where')), ({ results }) =>
          say(results[1] ?? ''),
        ),
        next: inTurns(callTools(call('where')), say('done')),
      },
    },
    async ({ runtime }) => {
      const run = runtime.run('lead')
      await completes(run)
      const old = threadOf((await run.result).text)
      await until(5000, 'the thread is replaced', () => runtime.stats().threads.replaced === 1)
      await until(5000, 'the old one is gone', () => old.threadId === -1)
      await assertWhole(runtime, 1)
      assert.is(runtime.stats().threads.replaced, 1)
    },
  ),
)

for (const threads of [1, 2]) {
  test(`of ${threads} threads, six are retired one after the other while agents stay on each: all finish, the pool stays whole`, async () => {
    const gate = latch()
    await scene(
      {
        config: { tools, runtime: { threads } },
        parts: { breaks: breaker(gate.opened), next: inTurns(callTools(call('where')), say('done')) },
        ms: 60_000,
      },
      async ({ runtime }) => {
        const runs: Run[] = []
        for (let i = 1; i <= 6; i++) {
          const run = runtime.run('breaks')
          runs.push(run)
          await warned(run)
          await until(5000, `the pool is whole after ${i}`, () => runtime.stats().threads.alive === threads)
          await completes(runtime.run('next'))
        }
        gate.open()
        await Promise.all(runs.map(completes))
        await assertWhole(runtime, threads)
      },
    )()
  })
}

test('leads on retired threads can still delegate, however many there are', async () => {
  const gate = latch()
  await scene(
    {
      config: { tools, runtime: { threads: 1 } },
      parts: {
        lead: inTurns(
          callTools(call('throwsLate'), call('where')),
          async () => {
            await gate.opened
            return callTools(task('next', 'a'))
          },
          say('done'),
        ),
        next: inTurns(callTools(call('where')), say('done')),
      },
      ms: 40_000,
    },
    async ({ runtime }) => {
      const runs: Run[] = []
      for (let i = 1; i <= 4; i++) {
        const run = runtime.run('lead')
        runs.push(run)
        await warned(run)
        await until(2000, `there is a thread for new agents after ${i}`, () => runtime.stats().threads.alive > 0)
      }
      gate.open()
      await Promise.all(runs.map(completes))
    },
  )()
})

test('a replacement that dies is itself replaced while the retired thread still has agents', async () => {
  const gate = latch()
  await scene(
    {
      config: { tools, runtime: { threads: 1 } },
      parts: { breaks: breaker(gate.opened), next: inTurns(callTools(call('where')), say('done')) },
      ms: 30_000,
    },
    async ({ runtime }) => {
      const run = runtime.run('breaks')
      await warned(run)
      await until(5000, 'the replacement is there', () => runtime.stats().threads.alive === 1)
      workers.at(-1)?.terminate()
      await until(5000, 'it is gone', () => runtime.stats().threads.replaced === 2)
      await until(5000, 'it is replaced', () => runtime.stats().threads.alive === 1)
      await completes(runtime.run('next'))
      gate.open()
      await completes(run)
    },
  )()
})

test('a wedged thread is given up: its agents fail with their partial work, others and the host go on', async () => {
  const gate = latch()
  const where = new Map<string, string>()
  await scene(
    {
      config: { tools, runtime: { threads: 2, wedged_ms: 1000 } },
      ms: 30_000,
      parts: {
        lead: inTurns(
          callTools(call('where')),
          ({ results }) => {
            where.set('lead', results[0] ?? '')
            return callTools(...['sub 0', 'sub 1', 'sub 2', 'sub 3'].map((prompt, i) => task(prompt, `t${i}`)))
          },
          ({ results }) => say(JSON.stringify(results)),
        ),
        sub: async (turn) => {
          const reply = await placed(gate.opened, where)(turn)
          return turn.turn === 1 && where.get(turn.prompt) !== where.get('lead') ? callTools(call('loops')) : reply
        },
        next: inTurns(callTools(call('where')), say('done')),
      },
    },
    async ({ runtime, model }) => {
      const run = runtime.run('lead', MANY)
      await until(10_000, 'all wait', () => model.requests.filter(isSubAt(1)).length === 4)
      let ticks = 0
      const ticking = setInterval(() => ticks++, 20)
      const from = performance.now()
      gate.open()
      await until(15_000, 'the thread is given up', () => runtime.stats().threads.replaced === 1)
      clearInterval(ticking)
      const passed = performance.now() - from
      assert.ok(passed >= 900, `not before its time: ${passed} ms`)
      assert.ok(ticks > passed / 20 / 5, `the host kept its pace: ${ticks} ticks of 20 ms in ${passed} ms`)
      const { status, text } = await within(10_000, 'the run ends', run.result)
      assert.is(status, 'completed')
      const results: string[] = JSON.parse(text)
      const wedged = ['sub 0', 'sub 1', 'sub 2', 'sub 3'].filter((prompt) => where.get(prompt) !== where.get('lead'))
      assert.is(wedged.length, 2)
      for (const [i, result] of results.entries()) {
        const lost = `Task failed. Error: The agent thread gave no sign of life for 1000 ms.\n\nPartial result:\npartial of sub ${i}`
        assert.is(result, wedged.includes(`sub ${i}`) ? lost : `Task Succeeded. Result: sub ${i} finished`)
      }
      assertLawful(await collect(run.watch()))
      await assertWhole(runtime, 2)
    },
  )()
})

test('a thread that misses its heartbeat gets no new agents until it beats again', async () => {
  let home = ''
  const where = new Map<string, string>()
  await scene(
    {
      config: { tools, runtime: { threads: 2, wedged_ms: 60_000 } },
      ms: 30_000,
      parts: {
        block: inTurns(
          callTools(call('where')),
          ({ results }) => {
            where.set('block', results[0] ?? '')
            return callTools(call('blocks', { folder: home }))
          },
          say('done'),
        ),
        probe: inTurns(callTools(call('where')), ({ prompt, results }) => {
          where.set(prompt, results[0] ?? '')
          return say('done')
        }),
      },
    },
    async (open) => {
      home = open.home
      const { runtime } = open
      const run = runtime.run('block')
      await until(10_000, 'the thread is blocked', () => existsSync(join(home, 'begun')))
      await wait(2500)
      const probes = Array.from({ length: 6 }, (_, i) => runtime.run(`probe ${i}`))
      await Promise.all(probes.map(completes))
      for (let i = 0; i < 6; i++)
        assert.is.not(where.get(`probe ${i}`), where.get('block'), 'none goes to the quiet thread')
      writeFileSync(join(home, 'free'), '')
      await completes(run)
      await Promise.all(Array.from({ length: 6 }, (_, i) => completes(runtime.run(`probe later ${i}`))))
      const threads = new Set(Array.from({ length: 6 }, (_, i) => where.get(`probe later ${i}`)))
      assert.is(threads.size, 2, 'both take agents again')
      assert.equal(runtime.stats().threads, { alive: 2, replaced: 0 })
    },
  )()
})

test.run()
