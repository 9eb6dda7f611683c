import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { RunOptions } from '../../src/contract/api.ts'
import { createRuntime, TroupeError } from '../../src/index.ts'
import { call, callTools, say } from '../../src/testing/scripted-reply.ts'
import { hostThat as host } from '../support/host-that.ts'
import { assertLawful, collect, ofType } from '../support/runtime-events.ts'
import { modelAt, scene, until, within } from '../support/runtime-scene.ts'
import { inTurns, must, silence } from '../support/runtime-script.ts'

const lead = inTurns(
  callTools(...['a', 'b', 'c'].map((id) => call('task', { prompt: 'sub' }, id)), call('onHost', {}, 'h')),
  say('done'),
)
const parts = {
  lead,
  sub: inTurns(callTools(call('instant'), call('who', {}, 'w')), say('found')),
  slow: () => ({ text: 'done', delayMs: 400 }),
  hang: () => silence,
  loops: () => callTools(call('loops')),
  spins: () => callTools(call('spins')),
  fails: () => ({ status: 500 }),
  prints: inTurns(callTools(call('prints'), call('warns', {}, 'w'), call('strays', {}, 's')), ({ results }) =>
    say(results.join()),
  ),
}

const isGone = (pid: number): boolean => {
  try {
    return !process.kill(pid, 0)
  } catch {
    return true
  }
}

const hostThat = (how: string) => host(how, { entry: 'threads/lifecycle.entry.ts', parts, ms: 25_000 })

test('after close nothing is left: no listener, process, file or handle, and the host ends by itself', async () => {
  const { found, code, stderr, lingered } = await hostThat('closes')
  const { status, before, during, after } = found
  assert.equal([status, code, stderr], ['completed', 0, ''])
  assert.ok(during.children > before.children, 'there were tool processes')
  assert.equal(after, before)
  assert.ok(lingered < 2000, `it ended ${lingered} ms after close`)
})

test('a host that never closes its runtime ends by itself all the same, and its tool processes with it', async () => {
  const { found, code, stderr, lingered } = await hostThat('forgets')
  assert.equal([found.status, code, stderr], ['completed', 0, ''])
  assert.ok(lingered < 3000, `it ended after ${lingered} ms`)
  assert.ok(found.processes.length > 0)
  for (const pid of found.processes) await until(3000, `process ${pid} ends`, () => isGone(pid))
})

test('a drain that ends early leaves no timer behind', async () => {
  const { found, code, lingered } = await hostThat('drains')
  assert.equal([found, code], [{ status: 'completed' }, 0])
  assert.ok(lingered < 5000, `it ended ${lingered} ms after close`)
})

test('closing amid runs leaves nothing either, though a thread and a process are caught in a loop', async () => {
  const { found, code, lingered } = await hostThat('aborted')
  assert.equal([found.statuses, found.after.children, code], [['cancelled', 'cancelled', 'cancelled'], 0, 0])
  assert.ok(lingered < 2000, `it ended ${lingered} ms after close`)
})

test('an idle runtime uses no CPU, turns no event loop and posts no messages', async () => {
  const { found, code } = await hostThat('idles')
  const { cpuMs, posted, active } = found
  assert.is(code, 0)
  assert.is(posted, 0)
  assert.ok(active.length >= 2)
  for (const ms of active) assert.ok(ms < 0.2, `the event loop of a thread turned: ${ms} ms`)
  assert.ok(cpuMs < 15, `${cpuMs} ms of CPU in 1000 ms`)
})

for (const how of ['prints', 'printsIsolated']) {
  test(`nothing that a tool prints reaches the output of the host (${how})`, async () => {
    const { found, stdout, stderr, code } = await hostThat(how)
    assert.is(code, 0)
    assert.match(found.text, /^printed,warned/)
    assert.not.match(stdout, 'SPILL')
    assert.is(stderr, '')
  })
}

test('a result that nobody reads is no unhandled rejection, however the run ended', async () => {
  const { found, code, stderr } = await hostThat('unread')
  assert.equal([found.status, code, stderr], ['survived', 0, ''])
})

test(
  'close settles what still runs as cancelled, and a second close is the same',
  scene(
    { parts: { ...parts, lead: inTurns(callTools(call('task', { prompt: 'hang' }, 'a')), say('done')) } },
    async ({ runtime, model }) => {
      const runs = [runtime.run('lead'), runtime.run('hang')]
      const logs = runs.map(collect)
      await until(5000, 'all think', () => model.requests.length === 3)
      const closing = runtime.close()
      assert.throws(
        () => runtime.run('lead'),
        (error: TroupeError) => error instanceof TroupeError && error.code === 'RUNTIME_CLOSED',
      )
      await within(10_000, 'close', Promise.all([closing, runtime.close(), runtime[Symbol.asyncDispose]()]))
      for (const { result } of runs) {
        const { status, error } = await result
        assert.equal([status, error?.code], ['cancelled', 'CANCELLED'])
      }
      for (const events of await Promise.all(logs)) assertLawful(events)
      assert.is(ofType(await collect(must(runs[0]).watch()), 'task_cancelled').length, 1)
      await within(1000, 'close again', runtime.close())
      assert.throws(
        () => runtime.run('lead'),
        (error: TroupeError) => error.code === 'RUNTIME_CLOSED',
      )
      assert.equal(runtime.stats().threads.alive, 0)
      assert.equal(runtime.stats().runs.active, 0)
      await until(3000, 'the sockets close', () => model.inFlight() === 0)
    },
  ),
)

/** How much each thread of this process gives way, by its system; field 19 of its stat, behind a name that may hold blanks. */
const nicenesses = (): number[] =>
  readdirSync('/proc/self/task').map((id) => {
    const stat = readFileSync(`/proc/self/task/${id}/stat`, 'utf8')
    return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[16])
  })

if (process.platform === 'linux')
  test(
    'agent threads let the thread that embeds them go first',
    scene({ parts, config: { runtime: { threads: 2 } } }, async ({ runtime }) => {
      await runtime.run('slow').result
      const [own, others] = [nicenesses().filter((nice) => nice === 0), nicenesses().filter((nice) => nice === 10)]
      assert.is(others.length, 2)
      assert.ok(own.length > 1)
    }),
  )

test(
  'close waits for drainMs at most',
  scene({ parts }, async ({ runtime, model }) => {
    const [slow, hang] = [runtime.run('slow'), runtime.run('hang')]
    await until(5000, 'both think', () => model.requests.length === 2)
    await within(15_000, 'close', runtime.close({ drainMs: 1500 }))
    assert.is((await slow.result).status, 'completed')
    assert.is((await hang.result).status, 'cancelled')
  }),
)

test(
  'two runtimes live in one process, and closing one costs the other nothing',
  scene({ parts }, async ({ runtime, model, home }) => {
    const other = await createRuntime({ config: { models: [modelAt(model.url, 'other')] }, home: join(home, 'other') })
    const run = runtime.run('slow')
    const theirs = other.run('hang')
    await until(5000, 'both think', () => model.requests.length === 2)
    assert.is(runtime.getRun(theirs.id), undefined)
    assert.equal(
      runtime.runs().map(({ run_id, status }) => [run_id, status]),
      [[run.id, 'running']],
    )
    await other.close()
    assert.is((await theirs.result).status, 'cancelled')
    assert.is((await run.result).status, 'completed')
    assert.is((await runtime.run('slow').result).status, 'completed')
  }),
)

test(
  'a second run on a busy thread fails at once with THREAD_BUSY; once the first has ended there is room',
  scene({ parts }, async ({ runtime, model }) => {
    const first = runtime.run('slow', { threadId: 'same' })
    const second = runtime.run('slow', { threadId: 'same' })
    assert.equal([first.threadId, second.threadId], ['same', 'same'])
    const events = await within(3000, 'it fails', collect(second))
    assertLawful(events)
    assert.is(events.length, 2)
    const { status, error, text, turns, delegations } = await second.result
    assert.equal([status, error?.code, text, turns, delegations], ['failed', 'THREAD_BUSY', '', 0, []])
    assert.match(error?.message ?? '', /same/)
    assert.is((await first.result).status, 'completed')
    assert.is((await runtime.run('slow', { threadId: 'same' }).result).status, 'completed')
    assert.is(model.requests.length, 2)
    assert.equal(
      runtime
        .runs()
        .map(({ run_id, status }) => [run_id, status])
        .slice(0, 2),
      [
        [second.id, 'failed'],
        [first.id, 'completed'],
      ],
    )
    assert.is(runtime.getRun(first.id)?.id, first.id)
  }),
)

test('a run whose model names an unset variable fails and names variable and path, never a value', async () => {
  await scene(
    {
      parts: {
        ...parts,
        lead: inTurns(callTools(call('task', { prompt: 'sub' }, 'a')), ({ results }) => say(results.join())),
      },
      env: { TROUPE_SET: 'a-secret-value' },
      config: {
        models: [
          { ...modelAt('http://127.0.0.1:9/v1'), api_key: '$TROUPE_UNSET' },
          { ...modelAt('http://127.0.0.1:9/v1', 'set'), api_key: '$TROUPE_SET' },
        ],
      },
    },
    async ({ runtime }) => {
      const run = runtime.run('lead')
      assertLawful(await collect(run))
      const { status, error } = await run.result
      assert.is(status, 'failed')
      assert.is(error?.code, 'ENV_UNSET')
      assert.match(error?.message ?? '', /TROUPE_UNSET/)
      assert.match(error?.message ?? '', /models\.0\.api_key/)
      const { error: other } = await within(15_000, 'it fails', runtime.run('lead', { model: 'set' }).result)
      assert.is(other?.code, 'MODEL_FAILED')
      assert.not.match(other?.message ?? '', 'a-secret-value')
    },
  )()
})

const wrong: readonly {
  readonly name: string
  readonly prompt?: unknown
  readonly options: object
  readonly says: RegExp
}[] = [
  { name: 'a threadId with a slash', options: { threadId: 'a/b' }, says: /threadId/ },
  { name: 'an unknown model', options: { model: 'ghost' }, says: /ghost.*main, second/ },
  { name: 'a misspelt option', options: { thredId: 'x' }, says: /^thredId .*"threadId"/ },
  { name: 'an unknown agent', options: { agent: 'ghost' }, says: /ghost/ },
  { name: 'a blank prompt', prompt: ' \n', options: {}, says: /prompt/ },
]

test(
  'run throws OPTIONS_INVALID, names the option, and starts nothing',
  scene({ parts }, async ({ runtime, model }) => {
    for (const { name, prompt = 'lead', options, says } of wrong) {
      assert.throws(
        () => runtime.run(prompt as string, options as RunOptions),
        (error: TroupeError) => error.code === 'OPTIONS_INVALID' && says.test(error.message),
        name,
      )
    }
    assert.equal([runtime.runs(), model.requests], [[], []])
  }),
)

test('createRuntime rejects with every problem of the config and its path, and leaves nothing running', async () => {
  const config = {
    models: [modelAt('http://127.0.0.1:9/v1')],
    subagents: { max_turn: 5, timeout_seconds: -1 },
    tools: [
      { name: 'gone', use: './test/threads/fixtures/gone.mjs#gone' },
      { name: 'instant', use: './test/threads/fixtures/tools.mjs#instant' },
    ],
  }
  const problemsOf = async (tree: object): Promise<readonly string[]> => {
    try {
      await createRuntime({ config: tree })
    } catch (error) {
      const { code, problems, message } = error as TroupeError
      assert.is(code, 'CONFIG_INVALID')
      const errors = problems.filter(({ level }) => level === 'error')
      for (const { path } of errors) assert.ok(message.includes(path), `${path} stands in the message`)
      return errors.map(({ path }) => path).sort()
    }
    throw new Error('it resolved')
  }
  assert.equal(await problemsOf(config), ['subagents.max_turn', 'subagents.timeout_seconds'])
  assert.equal(await problemsOf({ ...config, subagents: {} }), ['tools.0.use'])
  assert.equal(
    await problemsOf({ ...config, subagents: {}, tools: [{ name: 'x', use: './test/threads/fixtures/tools.mjs#x' }] }),
    ['tools.0.use'],
  )
})

test.run()
