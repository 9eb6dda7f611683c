import { existsSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { RunOptions } from '../../src/contract/api.ts'
import { SETTLE_MS } from '../../src/contract/limits.ts'
import type { ScriptedRequest } from '../../src/testing/scripted-model.ts'
import { call, callTools, type ScriptedCall, type ScriptedReply, say } from '../../src/testing/scripted-reply.ts'
import { assertLawful, collect, ofType, storyOf } from '../support/runtime-events.ts'
import { fixtureTool, scene, until, wait, within } from '../support/runtime-scene.ts'
import { inTurns, latch, silence, turnOf } from '../support/runtime-script.ts'

/** What a busy machine may add to any wait before it says something about Troupe. */
const MARGIN_MS = 4000

const task = (prompt: string, id: string, args: object = {}): ScriptedCall => call('task', { prompt, ...args }, id)
const tasks = (prompt: string, count: number): readonly ScriptedCall[] =>
  Array.from({ length: count }, (_, i) => task(`${prompt} ${i}`, `t${i}`))
const isOf = (who: string) => (request: ScriptedRequest) => turnOf(request).prompt.startsWith(who)

const MANY: RunOptions = { maxConcurrentSubagents: 64, maxTotalSubagents: 50 }

test(
  'a cancel with 100 subagents in flight settles all, closes their sockets, and nothing starts after',
  scene(
    {
      ms: 40_000,
      parts: {
        lead: inTurns(callTools(...tasks('hang', 50)), say('done')),
        hang: () => silence,
        quick: () => say('done'),
      },
    },
    async ({ runtime, model }) => {
      const runs = [runtime.run('lead one', MANY), runtime.run('lead two', MANY)]
      const logs = runs.map(collect)
      await until(15_000, '100 requests are open', () => model.requests.filter(isOf('hang')).length === 100)
      for (const run of runs) run.cancel('enough')
      const results = await within(MARGIN_MS, 'all settle', Promise.all(runs.map(({ result }) => result)))
      const asked = model.requests.length
      for (const { status, error, delegations } of results) {
        assert.equal([status, error], ['cancelled', { code: 'CANCELLED', message: 'enough' }])
        assert.is(delegations.length, 50)
        assert.ok(delegations.every(({ status, error }) => status === 'cancelled' && error === 'enough'))
      }
      for (const events of await Promise.all(logs)) {
        assertLawful(events)
        assert.is(ofType(events, 'task_cancelled').length, 50)
      }
      await until(MARGIN_MS, 'the sockets close', () => model.inFlight() === 0)
      assert.ok(model.requests.filter(isOf('hang')).every(({ state }) => state === 'closed'))
      await wait(500)
      assert.is(model.requests.length, asked, 'nothing was asked after')
      assert.equal(runtime.stats().tasks, { queued: 0, running: 0, list: [] })
      assert.is((await runtime.run('quick').result).status, 'completed', 'the runtime goes on')
    },
  ),
)

test(
  'a cancel amid 50 subagents that work without pause stops them at their next step',
  scene(
    {
      config: { tools: [fixtureTool('instant')], runtime: { threads: 2 } },
      parts: {
        lead: inTurns(callTools(...tasks('busy', 50)), say('done')),
        busy: ({ turn }) => ({ text: `step ${turn}`, toolCalls: [call('instant', { turn })] }),
      },
    },
    async ({ runtime, model }) => {
      const run = runtime.run('lead', MANY)
      await until(15_000, 'all work', () => model.requests.length > 200)
      run.cancel()
      const result = await within(MARGIN_MS, 'all settle', run.result)
      const settled = model.requests.length
      assert.is(result.status, 'cancelled')
      assert.is(result.delegations.length, 50)
      for (const { status, partial } of result.delegations) {
        assert.is(status, 'cancelled')
        if (partial) assert.match(partial.text, /^step \d+$/)
      }
      assert.ok(result.delegations.some(({ partial }) => partial !== null))
      await until(MARGIN_MS, 'the sockets close', () => model.inFlight() === 0)
      await wait(300)
      // What was on its way when the cancel came arrives, but it is nobody's next step.
      const late = model.requests.slice(settled).map((request) => turnOf(request).prompt)
      assert.is(late.length, new Set(late).size, 'nobody asked twice after the end')
      const asked = model.requests.length
      await wait(300)
      assert.is(model.requests.length, asked, 'nothing is asked any more')
      assertLawful(await collect(run.watch()))
    },
  ),
)

test('a cancel while 50 subagents wait for their tools: what the tools bring then starts nothing', async () => {
  const gate = latch()
  let held = 0
  const hold = {
    name: 'hold',
    invoke: async () => {
      held++
      await gate.opened
      return 'too late'
    },
  }
  await scene(
    {
      hostTools: [hold],
      parts: {
        lead: inTurns(callTools(...tasks('holds', 50)), say('done')),
        holds: inTurns(callTools(call('hold')), callTools(call('hold')), say('found')),
      },
    },
    async ({ runtime, model }) => {
      const run = runtime.run('lead', MANY)
      await until(15_000, 'all wait', () => held === 50)
      const asked = model.requests.length
      run.cancel()
      gate.open()
      const { status, delegations } = await within(MARGIN_MS, 'all settle', run.result)
      assert.equal([status, delegations.length], ['cancelled', 50])
      await wait(300)
      assert.equal([model.requests.length, held], [asked, 50])
    },
  )()
})

test(
  'a cancel before the first step asks no model',
  scene({ parts: { lead: () => silence } }, async ({ runtime, model }) => {
    const run = runtime.run('lead')
    run.cancel()
    const events = await within(MARGIN_MS, 'it settles', collect(run))
    assertLawful(events)
    const { status, text, turns, usage } = await run.result
    assert.equal([status, text, turns, usage.total_tokens], ['cancelled', '', 0, 0])
    await wait(200)
    assert.is(model.requests.length, 0)
  }),
)

test(
  'a cancelled run keeps what the lead said last, and a second cancel changes nothing',
  scene(
    {
      config: { tools: [fixtureTool('instant')] },
      parts: { lead: inTurns({ text: 'a first thought', toolCalls: [call('instant')] }, silence) },
    },
    async ({ runtime, model }) => {
      const run = runtime.run('lead')
      await until(5000, 'it thinks again', () => model.requests.length === 2)
      run.cancel('first')
      run.cancel('second')
      const { status, text, error, turns } = await within(MARGIN_MS, 'it settles', run.result)
      assert.equal([status, text, error?.message, turns], ['cancelled', 'a first thought', 'first', 1])
      run.cancel('third')
      assert.is((await run.result).error?.message, 'first')
    },
  ),
)

const unfinished: ScriptedReply = { text: 'heardnever', chunks: 2, stallAfterChunks: 2 }

test(
  'an agent stopped amid its first answer keeps what had come of it',
  scene(
    { parts: { lead: inTurns(callTools(task('sub', 'a')), unfinished), sub: () => unfinished } },
    async ({ runtime }) => {
      const run = runtime.run('lead', { include: ['task_delta'] })
      for await (const event of run.watch()) {
        if (event.type === 'task_delta') run.cancelTask('a')
        if (event.type === 'message_delta') run.cancel()
      }
      const { status, text, delegations } = await within(MARGIN_MS, 'it settles', run.result)
      assert.equal([status, text, delegations[0]?.partial], ['cancelled', 'heard', { text: 'heard', files: [] }])
    },
  ),
)

test(
  'leaving the events early cancels the run; leaving a watch does not',
  scene({ parts: { lead: () => ({ text: 'one two three', chunks: 3, chunkMs: 150 }) } }, async ({ runtime, model }) => {
    const left = runtime.run('lead')
    for await (const event of left) if (event.type === 'message_delta') break
    assert.is((await within(MARGIN_MS, 'it settles', left.result)).status, 'cancelled')
    await until(MARGIN_MS, 'the socket closes', () => model.requests[0]?.state === 'closed')

    const watched = runtime.run('lead')
    for await (const event of watched.watch()) if (event.type === 'message_delta') break
    assert.is((await watched.result).status, 'completed')

    const disposed = runtime.run('lead')
    await disposed[Symbol.asyncDispose]()
    assert.is((await disposed.result).status, 'cancelled')
  }),
)

test(
  'an AbortSignal cancels the run before it starts as well as during it, and is let go of at the end',
  scene({ parts: { lead: () => silence, quick: () => say('done') } }, async ({ runtime, model }) => {
    const before = runtime.run('lead', { signal: AbortSignal.abort() })
    assert.is((await within(MARGIN_MS, 'it settles', before.result)).status, 'cancelled')
    assert.is(model.requests.length, 0)
    assertLawful(await collect(before.watch()))

    const controller = new AbortController()
    const during = runtime.run('lead', { signal: controller.signal })
    await until(5000, 'it thinks', () => model.requests.length === 1)
    controller.abort()
    assert.is((await within(MARGIN_MS, 'it settles', during.result)).status, 'cancelled')

    const listeners = new Set<unknown>()
    const { signal } = new AbortController()
    signal.addEventListener = (_: string, listener: unknown) => void listeners.add(listener)
    signal.removeEventListener = (_: string, listener: unknown) => void listeners.delete(listener)
    const quick = runtime.run('quick', { signal })
    assert.is(listeners.size, 1)
    assert.is((await quick.result).status, 'completed')
    await wait(0)
    assert.is(listeners.size, 0)
  }),
)

const stubborn = [
  { name: 'a worker tool that ignores its signal', tool: 'deaf', placement: 'worker' },
  { name: 'a worker tool that blocks its thread', tool: 'blocks', placement: 'worker' },
  { name: 'an isolated tool that ignores its signal', tool: 'deaf', placement: 'isolated' },
  { name: 'an isolated tool that blocks its process', tool: 'blocks', placement: 'isolated' },
] as const

for (const { name, tool, placement } of stubborn) {
  test(`${name} does not hold a cancelled run`, async () => {
    let home = ''
    await scene(
      {
        config: { tools: [fixtureTool(tool, placement)], runtime: { threads: 1, tool_processes: 1, grace_ms: 1000 } },
        ms: 30_000,
        parts: {
          lead: inTurns(callTools(task('sub', 'a')), say('done')),
          sub: inTurns(() => ({ text: 'so far', toolCalls: [call(tool, { folder: home })] }), say('found')),
          next: () => say('here'),
        },
      },
      async (open) => {
        home = open.home
        const { runtime } = open
        const run = runtime.run('lead')
        await until(10_000, 'the tool runs', () => existsSync(join(home, 'begun')))
        run.cancel()
        // The blocking tools let go only when this test tells them to, so to settle at all is to settle before them.
        const { status, delegations } = await within(SETTLE_MS + MARGIN_MS, 'it settles', run.result)
        assert.equal(
          [status, delegations[0]?.status, delegations[0]?.partial?.text],
          ['cancelled', 'cancelled', 'so far'],
        )
        assertLawful(await collect(run.watch()))
        if (placement === 'isolated') {
          await until(1000 + MARGIN_MS, 'its process is killed', () => runtime.stats().tool_processes.replaced === 1)
        }
        writeFileSync(join(home, 'free'), '')
        assert.is((await within(10_000, 'the next run', runtime.run('next').result)).status, 'completed')
        assert.equal(runtime.stats().threads, { alive: 1, replaced: 0 })
      },
    )()
  })
}

test('a host tool that ignores its signal does not hold a cancelled run, and its late answer changes nothing', async () => {
  let answer: (text: string) => void = () => {}
  let begun: AbortSignal | undefined
  const wire = {
    name: 'wire',
    invoke: (_: unknown, config?: unknown) => {
      begun = (config as { signal: AbortSignal }).signal
      return new Promise<string>((resolve) => {
        answer = resolve
      })
    },
  }
  await scene(
    {
      hostTools: [wire],
      parts: {
        lead: inTurns(callTools(task('sub', 'a')), say('done')),
        sub: inTurns(callTools(call('wire')), say('found')),
      },
    },
    async ({ runtime, model }) => {
      const run = runtime.run('lead')
      await until(10_000, 'the tool runs', () => begun !== undefined)
      run.cancelTask('a')
      const { status, delegations } = await within(SETTLE_MS + MARGIN_MS, 'it settles', run.result)
      assert.equal([status, delegations[0]?.status], ['completed', 'cancelled'])
      assert.is(begun?.aborted, true)
      const asked = model.requests.length
      answer('late')
      await wait(200)
      assert.is(model.requests.length, asked)
    },
  )()
})

for (const placement of ['worker', 'isolated'] as const) {
  test(`a ${placement} tool hears of the cancel through its signal`, async () => {
    let home = ''
    await scene(
      {
        config: { tools: [fixtureTool('heeds', placement)] },
        parts: { lead: inTurns(() => callTools(call('heeds', { folder: home })), say('done')) },
      },
      async (open) => {
        home = open.home
        const run = open.runtime.run('lead')
        await until(10_000, 'the tool runs', () => existsSync(join(home, 'begun')))
        run.cancel()
        assert.is((await within(SETTLE_MS + MARGIN_MS, 'it settles', run.result)).status, 'cancelled')
        await until(MARGIN_MS, 'the tool has heard', () => existsSync(join(home, 'aborted')))
      },
    )()
  })
}

test(
  'a subagent past its deadline is timed_out with its partial work, and the lead goes on',
  scene(
    {
      config: { tools: [fixtureTool('instant')], subagents: { timeout_seconds: 1 } },
      parts: {
        lead: inTurns(callTools(task('hang', 'a'), task('sub', 'b')), ({ results }) => say(JSON.stringify(results))),
        hang: inTurns({ text: 'a first thought', toolCalls: [call('instant')] }, silence),
        sub: () => say('found'),
      },
    },
    async ({ runtime, model }) => {
      const run = runtime.run('lead')
      const events = await collect(run)
      assertLawful(events)
      const { status, text } = await run.result
      assert.is(status, 'completed')
      const error = 'Execution timed out after 1 seconds'
      assert.equal(JSON.parse(text), [
        `Task timed out. Error: ${error}\n\nPartial result:\na first thought`,
        'Task Succeeded. Result: found',
      ])
      const [timedOut] = ofType(events, 'task_timed_out')
      assert.equal([timedOut?.task_id, timedOut?.error, timedOut?.stop_reason], ['a', error, null])
      assert.equal(timedOut?.partial, { text: 'a first thought', files: [] })
      assert.is(timedOut?.usage?.total_tokens, 110)
      const started = ofType(events, 'task_started').find(({ task_id }) => task_id === 'a')
      assert.ok((timedOut?.time ?? 0) - (started?.time ?? 0) >= 990, 'not before its time')
      assert.is(model.inFlight(), 0)
    },
  ),
)

test(
  'time in the queue is not part of a deadline',
  scene(
    {
      config: { subagents: { timeout_seconds: 2 }, runtime: { threads: 1, agents_per_thread: 1 } },
      parts: {
        lead: inTurns(callTools(task('sub', 'a'), task('sub', 'b'), task('sub', 'c')), say('done')),
        sub: () => ({ text: 'found', delayMs: 900 }),
      },
    },
    async ({ runtime }) => {
      const run = runtime.run('lead')
      const events = await collect(run)
      assert.is(ofType(events, 'task_completed').length, 3)
      assert.is(storyOf(events, 'c'), 'queued started running completed')
    },
  ),
)

test(
  'a lead past its deadline is timed_out, and its subagents end with it',
  scene(
    {
      config: { lead: { timeout_seconds: 1 } },
      parts: {
        lead: inTurns({ text: 'let us see', toolCalls: [task('hang', 'a')] }, say('done')),
        hang: () => silence,
      },
    },
    async ({ runtime, model }) => {
      const run = runtime.run('lead')
      const events = await collect(run)
      assertLawful(events)
      const { status, text, error, delegations } = await run.result
      assert.equal([status, text], ['timed_out', 'let us see'])
      assert.equal(error, { code: 'TIMED_OUT', message: 'Execution timed out after 1 seconds' })
      assert.equal(
        delegations.map(({ status, error }) => [status, error]),
        [['cancelled', 'The run timed out']],
      )
      await until(MARGIN_MS, 'the sockets close', () => model.inFlight() === 0)
    },
  ),
)

test.run()
