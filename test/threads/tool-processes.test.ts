import { type ChildProcess, spawn } from 'node:child_process'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { ToolOutcome } from '../../src/contract/tools.ts'
import { compiled } from '../support/compiled.ts'
import {
  fixtures,
  moduleUrl,
  openPool,
  ownChildren,
  processesWith,
  run,
  toolCall,
  until,
  within,
  withPool,
} from '../tool-process/pool-support.ts'

const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

test(
  'a call goes through with its arguments and its caller, and what it gives back is text',
  withPool({}, async (pool) => {
    const from = 'tools.mjs'
    const echoed = await run(pool, 'echo', { from, args: { text: 'né' } })
    assert.equal(JSON.parse(echoed.content), {
      args: { text: 'né' },
      configurable: { thread_id: 't1', run_id: 'r1', task_id: null, agent: 'lead', workspace: '/tmp' },
    })
    assert.equal(await run(pool, 'nothingBack', { from }), { status: 'success', content: '' })
    assert.equal(await run(pool, 'blocks', { from }), { status: 'success', content: 'one\ntwo' })
    assert.equal(await run(pool, 'message', { from }), { status: 'success', content: 'from a message' })
    const refused = await run(pool, 'echo', { from, args: {} })
    assert.is(refused.status, 'error')
    assert.match(refused.content, /required property "text"/)
  }),
)

const faults: readonly {
  readonly name: string
  readonly tool: string
  readonly args?: object
  readonly timeoutMs?: number
  readonly says: RegExp
}[] = [
  {
    name: 'loops for ever',
    tool: 'loops',
    timeoutMs: 300,
    says: /^Error: Tool 'loops' timed out after 0\.3 seconds and was stopped\.$/,
  },
  {
    name: 'does not heed its signal',
    tool: 'deaf',
    timeoutMs: 300,
    says: /timed out after 0\.3 seconds and was stopped\.$/,
  },
  {
    name: 'calls process.exit',
    tool: 'exits',
    says: /^Error: Tool 'exits' ended its process \(exit code 3\): no licence found\.$/,
  },
  { name: 'calls process.abort', tool: 'aborts', says: /ended its process \(signal SIG(ABRT|TRAP|ILL)\)/ },
  { name: 'kills its process', tool: 'killsItself', says: /ended its process \(signal SIGTERM\)\.$/ },
  { name: 'kills its process group', tool: 'killsItsGroup', says: /was killed \(signal SIGKILL\)/ },
  { name: 'writes garbage to the line', tool: 'garbles', says: /broke the line/ },
  { name: 'closes the line', tool: 'hangsUp', says: /closed the line/ },
  {
    name: 'throws null',
    tool: 'throws',
    args: { what: 'null' },
    says: /^Error: Tool 'throws' failed with null\. Continue/,
  },
  { name: 'throws undefined', tool: 'throws', args: { what: 'undefined' }, says: /failed with undefined\. Continue/ },
  { name: 'throws text', tool: 'throws', args: { what: 'text' }, says: /failed with string: just text\. Continue/ },
  {
    name: 'throws an error',
    tool: 'throws',
    args: { what: 'error' },
    says: /failed with RangeError: too far\. Continue/,
  },
  { name: 'throws a circular object', tool: 'throws', args: { what: 'circle' }, says: /failed with object/ },
  {
    name: 'throws an object whose getters throw',
    tool: 'throws',
    args: { what: 'hostile' },
    says: /failed with object/,
  },
  {
    name: 'throws in a timer while it runs',
    tool: 'meanwhile',
    args: { how: 'throw' },
    says: /failed with Error: late throw\./,
  },
  {
    name: 'leaves a rejection while it runs',
    tool: 'meanwhile',
    args: { how: 'reject' },
    says: /failed with Error: late reject\./,
  },
  {
    name: 'emits an error while it runs',
    tool: 'meanwhile',
    args: { how: 'emit' },
    says: /failed with Error: late emit\./,
  },
]

for (const { name, tool, args, timeoutMs, says } of faults) {
  test(
    `a tool that ${name} fails its call; its sibling finishes and the pool is whole`,
    withPool({}, async (pool) => {
      const sibling = run(pool, 'slow', { args: { ms: 800 } })
      const outcome = await run(pool, tool, { ...(args && { args }), ...(timeoutMs && { timeoutMs }) })
      assert.is(outcome.status, 'error')
      assert.match(outcome.content, says)
      assert.equal(await sibling, { status: 'success', content: 'slow' })
      assert.equal(await run(pool, 'bare'), { status: 'success', content: 'bare' })
      await until(2000, 'two processes', () => pool.stats().alive === 2)
    }),
  )
}

for (const how of ['objects', 'map', 'json', 'arrays', 'buffers']) {
  test(
    `a tool that fills memory by ${how} fails its call; its sibling finishes and the pool is whole`,
    withPool(
      { memoryMb: 128 },
      async (pool) => {
        const sibling = run(pool, 'slow', { args: { ms: 1000 } })
        const outcome = await run(pool, 'fills', { args: { how }, timeoutMs: 30_000 })
        assert.equal(outcome, { status: 'error', content: "Error: Tool 'fills' ran out of memory (limit 128 MB)." })
        assert.equal(await sibling, { status: 'success', content: 'slow' })
        assert.equal(await run(pool, 'bare'), { status: 'success', content: 'bare' })
        assert.equal(pool.stats(), { alive: 2, replaced: 1, waiting: 0 })
      },
      40_000,
    ),
  )
}

test(
  'what one call leaves in memory does not count against the next',
  withPool({ count: 1, memoryMb: 128 }, async (pool) => {
    const pids = new Set<string>()
    for (let i = 0; i < 4; i++) pids.add((await run(pool, 'leaks')).content)
    assert.ok(pids.size > 1)
  }),
)

for (const how of ['throw', 'reject', 'emit']) {
  const logged: unknown[] = []
  const log = (_: string, message: string, fields?: object): void => void logged.push({ message, ...fields })
  test(
    `a late ${how} is logged with its tool, and the next call is not to blame`,
    withPool({ count: 1, log }, async (pool) => {
      assert.equal(await run(pool, 'late', { args: { how } }), { status: 'success', content: 'ok' })
      const [next, after] = [run(pool, 'slow', { args: { ms: 300 } }), run(pool, 'bare')]
      assert.equal(await next, { status: 'success', content: 'slow' })
      assert.equal(await after, { status: 'success', content: 'bare' })
      assert.equal(logged, [{ message: 'a tool failed after it had answered', tool: 'late', detail: `late ${how}` }])
      assert.equal(pool.stats(), { alive: 1, replaced: 1, waiting: 0 })
    }),
  )
}

test('a late fault of a tool made by LangChain is known by its tool too', async () => {
  const logged: unknown[] = []
  const log = (_: string, message: string, fields?: object): void => void logged.push({ message, ...fields })
  await withPool({ count: 1, log }, async (pool) => {
    assert.is((await run(pool, 'late', { from: 'tools.mjs' })).content, 'ok')
    assert.is((await run(pool, 'slow', { args: { ms: 300 } })).content, 'slow')
  })()
  assert.equal(logged, [{ message: 'a tool failed after it had answered', tool: 'late', detail: 'late reject' }])
})

test(
  'a process that ends between calls is replaced',
  withPool({ count: 1 }, async (pool) => {
    await run(pool, 'leavesSoon')
    await until(3000, 'a replacement', () => pool.stats().replaced === 1)
    assert.is((await run(pool, 'bare')).content, 'bare')
  }),
)

test('a result is cut at its bound and says so, and console output reaches the log alone', async () => {
  const printed: string[] = []
  const log = (_: string, message: string, fields?: { text?: string }): void =>
    void printed.push(message, fields?.text ?? '')
  await withPool({ count: 1, log }, async (pool) => {
    const { content } = await run(pool, 'huge')
    assert.ok(content.length < 1_100_000)
    assert.match(content.slice(-100), /truncated: showing first 1048576 of 3000000 chars/)
    assert.is((await run(pool, 'endless')).content, 'printed')
    assert.is(printed[0], 'a tool printed')
    assert.ok((printed[1] ?? '').length <= 8192)
  })()
})

test(
  'a call that heeds its signal gives its process back; one that leaves work behind costs it after the grace time',
  withPool({ count: 1, graceMs: 400 }, async (pool) => {
    await run(pool, 'bare')
    const heeds = await run(pool, 'heeds', { timeoutMs: 100 })
    assert.match(heeds.content, /timed out after 0\.1 seconds/)
    assert.is((await run(pool, 'bare')).content, 'bare')
    assert.is(pool.stats().replaced, 0)
    await run(pool, 'echo', { from: 'tools.mjs', args: { text: '' } })
    const started = performance.now()
    // LangChain settles it at once, though the function inside goes on.
    assert.match(
      (await run(pool, 'tidies', { from: 'tools.mjs', timeoutMs: 300 })).content,
      /timed out after 0\.3 seconds/,
    )
    assert.ok(performance.now() - started < 650)
    assert.is((await run(pool, 'bare')).content, 'bare')
    assert.ok(performance.now() - started >= 700)
    assert.is(pool.stats().replaced, 1)
  }),
)

test(
  'a call that loops is settled soon after deadline and grace, and what it started is killed',
  withPool({ count: 1, graceMs: 200 }, async (pool) => {
    await run(pool, 'pid')
    const started = performance.now()
    await run(pool, 'parent', { timeoutMs: 300 })
    const took = performance.now() - started
    assert.ok(took >= 499 && took < 1000, `took ${took} ms`)
    await until(1000, 'no child is left', () => processesWith('sleep 3117').length === 0)
  }),
)

test(
  'abort while waiting and while running: nothing is told, and the place is free again',
  withPool({ count: 1, graceMs: 200 }, async (pool) => {
    await run(pool, 'bare')
    const told: string[] = []
    const [running, waiting] = [
      toolCall('loops', { onDone: () => told.push('running') }),
      toolCall('bare', { onDone: () => told.push('waiting') }),
    ]
    pool.call(running)
    pool.call(waiting)
    assert.is(pool.stats().waiting, 1)
    pool.abort(waiting.key)
    assert.is(pool.stats().waiting, 0)
    pool.abort(running.key)
    pool.abort('unknown')
    assert.is((await within(5000, run(pool, 'bare'))).content, 'bare')
    assert.equal(told, [])
    assert.equal(pool.stats(), { alive: 1, replaced: 1, waiting: 0 })
  }),
)

test(
  'runs take turns, however many calls one of them has waiting',
  withPool({ count: 1 }, async (pool) => {
    const order: string[] = []
    const ask = (runId: string, label: string): Promise<unknown> =>
      run(pool, 'bare', { runId }).then(() => order.push(label))
    await Promise.all(['a1', 'a2', 'a3', 'b1', 'b2', 'c1'].map((label) => ask(label.slice(0, 1), label)))
    assert.equal(order, ['a1', 'b1', 'c1', 'a2', 'b2', 'a3'])
  }),
)

test(
  'a run may have a thousand calls waiting, and the next one is told so',
  withPool({ count: 1 }, async (pool) => {
    const flood = Array.from({ length: 1000 }, () => run(pool, 'bare'))
    const refused = await run(pool, 'bare')
    assert.match(refused.content, /^Error: Tool 'bare' was not run: 1000 calls of this run are waiting already\.$/)
    const other = run(pool, 'bare', { runId: 'r2' })
    assert.ok((await Promise.all([...flood, other])).every(({ status }: ToolOutcome) => status === 'success'))
  }),
)

test(
  'a tool that changes folder does not move the next call',
  withPool({ count: 1 }, async (pool) => {
    await run(pool, 'folder', { args: { to: '/' } })
    assert.is((await run(pool, 'folder')).content, process.cwd())
  }),
)

test(
  'a tool process gets the environment it is given, without the flags of the host',
  withPool({ env: { SEEN: 'yes', NODE_OPTIONS: '--no-such-flag', GONE: undefined } }, async (pool) => {
    const env = JSON.parse((await run(pool, 'environment')).content)
    assert.is(env.SEEN, 'yes')
    assert.not('NODE_OPTIONS' in env)
  }),
)

test(
  'a built-in runs beside the tools of users',
  withPool({ count: 1 }, async (pool) => {
    const mounts = [{ host: fixtures.pathname, path: '/mnt/project', writable: false, hidden: [] }]
    const found = await run(pool, 'glob', {
      target: { kind: 'builtin', name: 'glob' },
      args: { pattern: '*.mjs', path: '/mnt/project' },
      view: { userData: '/nowhere', mounts },
    })
    assert.match(found.content, /tools\.mjs/)
    assert.match(
      (await run(pool, 'x', { target: { kind: 'builtin', name: 'x' } })).content,
      /^Error: Tool 'x' does not run in a tool process/,
    )
  }),
)

const object = {
  type: 'object',
  properties: { q: { type: 'string', description: 'What' }, n: { type: 'number' } },
  required: ['q'],
  additionalProperties: false,
}
const described = [
  { name: 'echo', parameters: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] } },
  { name: 'zod3', parameters: object },
  { name: 'zod4', parameters: object },
  {
    name: 'text',
    parameters: { type: 'object', properties: { input: { type: 'string' } }, additionalProperties: false },
  },
] as const
test(
  'tools are described by name and JSON Schema, and what is none says why',
  withPool({}, async (pool) => {
    const exports = [...described.map(({ name }) => name), 'missing', 'number', 'plainFunction']
    const results = await pool.describe(
      exports.map((name) => ({ url: moduleUrl('tools.mjs'), export: name })),
      10_000,
    )
    for (const [i, { name, parameters }] of described.entries()) {
      const result = results[i]
      assert.ok(result?.ok, name)
      assert.is(result.name, name)
      assert.equal(result.parameters, parameters)
    }
    const errors = results.slice(described.length).map((result) => (result.ok ? '' : result.error))
    assert.match(errors[0] ?? '', /no export 'missing'; it exports .*echo/)
    assert.match(errors[1] ?? '', /'number' is no tool/)
    assert.match(errors[2] ?? '', /'plainFunction' is no tool/)
  }),
)

test(
  'a module that ends its process, hangs, or cannot be loaded spoils no other',
  withPool({ graceMs: 100 }, async (pool) => {
    const modules = [
      { url: moduleUrl('exits-on-import.mjs'), export: 'tool' },
      { url: moduleUrl('hangs-on-import.mjs'), export: 'tool' },
      { url: moduleUrl('nowhere.mjs'), export: 'tool' },
      { url: `data:text/javascript,export const a = {{`, export: 'a' },
      { url: moduleUrl('faults.mjs'), export: 'bare' },
    ]
    const errors = (await pool.describe(modules, 3000)).map((result) => (result.ok ? 'fine' : result.error))
    assert.match(errors[0] ?? '', /^the module ended its process \(exit code 4\) when it was loaded$/)
    assert.match(errors[1] ?? '', /^the module did not load within 3 seconds$/)
    assert.match(errors[2] ?? '', /^there is no file .*nowhere\.mjs; paths start from /)
    assert.match(errors[3] ?? '', /^SyntaxError: /)
    assert.is(errors[4], 'fine')
  }),
)

test(
  'processes that do not start fail those who wait, and are tried again for the next call',
  withPool({ url: new URL('none.js', fixtures) }, async (pool) => {
    for (let i = 0; i < 2; i++) {
      const { content } = await run(pool, 'bare')
      assert.match(
        content,
        /^Error: Tool 'bare' was not run: tool processes do not start \(the last one ended its process \(exit code 1\)/,
      )
    }
    assert.is(pool.stats().alive, 0)
  }),
)

test(
  'a working directory that is not there is a reason, not a crash',
  withPool({ cwd: '/no/such/folder' }, async (pool) => {
    assert.match((await run(pool, 'bare')).content, /do not start \(the last one could not start its process/)
  }),
)

test('close ends everything: calls are told, and no process, handle or listener is left', async () => {
  // What the tests before have closed takes a turn to go.
  await wait(200)
  const handles = (): number => (process as unknown as { _getActiveHandles(): unknown[] })._getActiveHandles().length
  const before = {
    handles: handles(),
    exit: process.listenerCount('exit'),
    timers: process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length,
  }
  const pool = openPool({ count: 1 })
  await run(pool, 'bare')
  const [running, waiting] = [run(pool, 'loops'), run(pool, 'bare')]
  await wait(50)
  await within(3000, Promise.all([pool.close(), pool.close()]))
  const after = {
    handles: handles(),
    exit: process.listenerCount('exit'),
    timers: process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length,
  }
  assert.match((await running).content, /was stopped: the runtime closed/)
  assert.match((await waiting).content, /was stopped: the runtime closed/)
  assert.equal(after, before)
  assert.equal(ownChildren(), [])
  assert.match((await run(pool, 'bare')).content, /the runtime is closed/)
})

test(
  'an idle pool has no timer',
  withPool({}, async (pool) => {
    await run(pool, 'bare')
    const timers = process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length
    // The one of this test.
    assert.is(timers, 1)
  }),
)

/** Starts a host of its own and waits until it says that it is ready. */
const startHost = async (memoryMb: number, how: string): Promise<ChildProcess> => {
  const host = spawn(process.execPath, [compiled('tool-process/host.entry.ts').pathname, String(memoryMb), how], {
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await within(15_000, new Promise((resolve) => host.stdout?.once('data', resolve)))
  return host
}

test('after kill -9 of a host that has loops and children under way, nothing is left within a second', async () => {
  const host = await startHost(141, 'busy')
  assert.ok(processesWith('max-old-space-size=141').length >= 2)
  assert.is(processesWith('sleep 3117').length, 1)
  host.kill('SIGKILL')
  await until(
    1000,
    'nothing is left',
    () => processesWith('max-old-space-size=141').length + processesWith('sleep 3117').length === 0,
  )
})

test('an idle pool lets its host end by itself, and ends with it', async () => {
  const host = await startHost(142, 'idle')
  const code = await within(3000, new Promise((resolve) => host.once('exit', resolve)))
  assert.is(code, 0)
  await until(1000, 'nothing is left', () => processesWith('max-old-space-size=142').length === 0)
})

test.run()
