import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { isMainThread } from 'node:worker_threads'
import { suite, test } from 'uvu'
import * as assert from 'uvu/assert'
import { call, callTools, type ScriptedCall, say } from '../../src/testing/scripted-reply.ts'
import { assertLawful, collect, ofType } from '../support/runtime-events.ts'
import { closeScene, fixtureTool, openScene, type Scene, scene, until, within } from '../support/runtime-scene.ts'
import { inTurns } from '../support/runtime-script.ts'

const task = (prompt: string, id: string): ScriptedCall => call('task', { prompt }, id)

const faults = suite<{ scene: Scene }>('faults')

const broken: readonly {
  readonly name: string
  readonly tool: string
  readonly rest?: object
  readonly says: RegExp
}[] = [
  {
    name: 'loops for ever',
    tool: 'loops',
    rest: { timeout_seconds: 1 },
    says: /^Error: Tool 'loops' timed out after 1 seconds and was stopped\.$/,
  },
  {
    name: 'ignores its deadline',
    tool: 'deaf',
    rest: { timeout_seconds: 1 },
    says: /^Error: Tool 'deaf' timed out after 1 seconds and was stopped\.$/,
  },
  { name: 'calls process.exit', tool: 'exits', says: /^Error: Tool 'exits' ended its process \(exit code 7\)/ },
  { name: 'calls process.abort', tool: 'aborts', says: /^Error: Tool 'aborts' ended its process \(signal SIG/ },
  { name: 'kills its process', tool: 'kills', says: /^Error: Tool 'kills' ended its process \(signal SIGTERM\)/ },
  { name: 'throws null', tool: 'throwsNull', says: /^Error: Tool 'throwsNull' failed with null\./ },
  { name: 'throws outside its call', tool: 'throwsAside', says: /^Error: Tool 'throwsAside' .*thrown aside/ },
  { name: 'fills the heap', tool: 'fillsHeap', says: /^Error: Tool 'fillsHeap' ran out of memory \(limit 64 MB\)/ },
  {
    name: 'fills memory outside the heap',
    tool: 'fillsBuffers',
    says: /^Error: Tool 'fillsBuffers' (ran out of memory \(limit 64 MB\)|was killed)/,
  },
]

faults.before(async (context) => {
  context.scene = await openScene({
    config: {
      tools: [
        ...broken.map(({ tool, rest }) => fixtureTool(tool, 'isolated', rest)),
        ...['instant', 'throwsLate'].map((name) => fixtureTool(name, 'isolated')),
      ],
      runtime: { threads: 1, tool_processes: 2, tool_memory_mb: 64, grace_ms: 300 },
    },
    parts: {
      lead: ({ prompt, turn, results }) =>
        turn === 0
          ? callTools(task(`sub ${prompt.split(' ')[1]}`, 'a'), call('instant', {}, 'sibling'))
          : say(JSON.stringify(results)),
      sub: ({ prompt, turn, results }) =>
        turn === 0 ? callTools(call(prompt.split(' ')[1] ?? ''), call('instant')) : say(JSON.stringify(results)),
      again: inTurns(callTools(call('throwsLate')), callTools(call('instant')), ({ results }) => say(results.join())),
    },
  })
})

faults.after(({ scene }) => closeScene(scene))

for (const { name, tool, says } of broken) {
  faults(`an isolated tool that ${name} fails its call with a reason, and costs nothing else`, async ({ scene }) => {
    const run = scene.runtime.run(`lead ${tool}`)
    const events = await within(20_000, 'the run', collect(run))
    assertLawful(events)
    const { status, text } = await run.result
    assert.is(status, 'completed')
    const [of, sibling] = JSON.parse(text)
    assert.is(sibling, 'at once')
    const [failed, neighbour] = JSON.parse(of.replace('Task Succeeded. Result: ', ''))
    assert.match(failed, says)
    assert.is(neighbour, 'at once')
    const told = ofType(events, 'task_running').find(({ message }) => message.name === tool)
    assert.is(told?.message.status, 'error')
    assert.match(told?.progress ?? '', new RegExp(`^${tool} failed: `))
    assert.equal(scene.runtime.stats().threads, { alive: 1, replaced: 0 })
  })
}

faults('an isolated tool that throws when its answer is given costs no later call', async ({ scene }) => {
  for (let i = 0; i < 3; i++) {
    const { status, text } = await within(10_000, 'the run', scene.runtime.run('again').result)
    assert.equal([status, text], ['completed', 'at once'])
  }
})

faults.run()

test('a pattern that never ends costs its own call only, while a neighbour on the same thread streams on', async () => {
  let neighbour = 0
  await scene(
    {
      config: { runtime: { threads: 1, grace_ms: 300 } },
      parts: {
        lead: inTurns(callTools(task('greps', 'a'), task('streams', 'b')), ({ results }) =>
          say(JSON.stringify(results)),
        ),
        greps: inTurns(
          callTools(call('write_file', { path: '/mnt/user-data/workspace/long.txt', content: `${'a'.repeat(60)}!\n` })),
          callTools(
            call('grep', { pattern: '(a+)+$', path: '/mnt/user-data/workspace' }),
            call('ls', { path: '/mnt/user-data' }),
          ),
          say('found'),
        ),
        streams: () => ({ text: 'word '.repeat(40), chunks: 40, chunkMs: 50 }),
      },
    },
    async ({ runtime }) => {
      const run = runtime.run('lead', { include: ['task_delta'] })
      const greps = () => runtime.stats().tasks.list.find(({ task_id }) => task_id === 'a')
      for await (const event of run.watch()) {
        if (event.type === 'task_delta' && greps()?.last_tool !== null && greps()?.turns === 2) neighbour++
        if (event.type === 'task_completed') break
      }
      assert.ok(neighbour > 5, `${neighbour} pieces came while the pattern ran`)
      assert.is(greps()?.status, 'running', 'it still runs')
      run.cancelTask('a')
      const { status, text } = await within(10_000, 'the run', run.result)
      assert.is(status, 'completed')
      assert.equal(JSON.parse(text), [
        'Task cancelled by user. Error: Cancelled by user',
        `Task Succeeded. Result: ${'word '.repeat(40)}`,
      ])
      await until(5000, 'its process is killed', () => runtime.stats().tool_processes.replaced === 1)
      assert.equal(runtime.stats().threads, { alive: 1, replaced: 0 })
    },
  )()
})

const seen = async (placement: 'host' | 'worker' | 'isolated'): Promise<void> => {
  const who = {
    name: 'who',
    description: 'Test tool who.',
    schema: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
    invoke: async (args: unknown, config?: unknown) => {
      const { signal, configurable } = config as { signal: AbortSignal; configurable: object }
      return { args, configurable, signal: signal instanceof AbortSignal && !signal.aborted, isMainThread }
    },
  }
  await scene(
    {
      ...(placement === 'host' ? { hostTools: [who] } : { config: { tools: [fixtureTool('who', placement)] } }),
      parts: {
        lead: inTurns(callTools(call('who', { n: 1 }, 'w'), task('sub', 'a')), ({ results }) =>
          say(JSON.stringify(results)),
        ),
        sub: inTurns(callTools(call('who', { n: 2 })), ({ results }) => say(results.join())),
      },
    },
    async ({ runtime, home, model }) => {
      const run = runtime.run('lead', { threadId: 'T-1' })
      const [own, sub] = JSON.parse((await run.result).text)
      const workspace = join(home, 'threads', 'T-1', 'user-data', 'workspace')
      const configurable = { thread_id: 'T-1', run_id: run.id, task_id: null, agent: 'lead', workspace }
      const common = { signal: true, isMainThread: placement !== 'worker' }
      assert.equal(JSON.parse(own), { args: { n: 1 }, configurable, ...common })
      assert.equal(JSON.parse(sub.replace('Task Succeeded. Result: ', '')), {
        args: { n: 2 },
        configurable: { ...configurable, task_id: 'a', agent: 'general-purpose' },
        ...common,
      })
      const offered = model.requests[0]?.body?.tools?.find(({ function: { name } }) => name === 'who')
      assert.is(offered?.function.description, 'Test tool who.')
      if (placement === 'host') assert.equal(offered?.function.parameters, who.schema)
    },
  )()
}

for (const placement of ['host', 'worker', 'isolated'] as const) {
  test(`a ${placement} tool sees who calls it, and a signal`, () => seen(placement))
}

for (const placement of ['worker', 'isolated'] as const) {
  test(
    `a model is told what is wrong with the arguments of a LangChain tool that is ${placement}`,
    scene(
      {
        config: { tools: [{ name: 'echo', use: './test/tool-process/fixtures/tools.mjs#echo', placement }] },
        parts: { lead: inTurns(callTools(call('echo', { txt: 1 })), ({ results }) => say(results.join())) },
      },
      async ({ runtime }) => {
        const wrong =
          'Error: Received tool input did not match expected schema\nDetails: #/required: Instance does not have required property "text"'
        assert.is(
          (await runtime.run('lead').result).text,
          `Error: Tool 'echo' failed with ${wrong}. Continue with available context, or choose an alternative tool.`,
        )
      },
    ),
  )
}

test(
  'a host tool that fails in whatever way fails its call',
  scene(
    {
      hostTools: [
        { name: 'rejects', invoke: async () => Promise.reject(new TypeError('not today')) },
        {
          name: 'throws',
          invoke: () => {
            throw null
          },
        },
        { name: 'task', invoke: async () => 'an impostor' },
      ],
      parts: {
        lead: inTurns(
          callTools(call('rejects'), call('throws', {}, 'b'), call('absent', {}, 'c'), task('sub', 'd')),
          ({ results }) => say(JSON.stringify(results)),
        ),
        sub: () => say('found'),
      },
    },
    async ({ runtime }) => {
      const { status, text } = await runtime.run('lead').result
      assert.is(status, 'completed')
      const [rejects, throws, absent, ofTask] = JSON.parse(text)
      assert.match(rejects, /^Error: Tool 'rejects' failed with TypeError: not today\./)
      assert.match(throws, /^Error: Tool 'throws' failed with null\./)
      assert.match(absent, /^Error: Tool 'absent' is not available\. Available: .*rejects/)
      assert.is(ofTask, 'Task Succeeded. Result: found', 'a name that is taken stays what it was')
    },
  ),
)

test(
  'a worker tool past its deadline fails its call after the grace time, whatever it does',
  scene(
    {
      config: {
        tools: [fixtureTool('deaf', 'worker', { timeout_seconds: 1 })],
        runtime: { threads: 1, grace_ms: 200 },
      },
      parts: {
        lead: inTurns(callTools(call('deaf')), ({ results }) => say(results.join())),
      },
    },
    async ({ runtime }) => {
      const { status, text } = await within(10_000, 'the run', runtime.run('lead').result)
      assert.equal([status, text], ['completed', "Error: Tool 'deaf' timed out after 1 seconds and was stopped."])
    },
  ),
)

test(
  'a deadline longer than a timer can hold does not fire early, whoever it is for',
  scene(
    {
      config: {
        tools: [
          fixtureTool('naps', 'worker', { timeout_seconds: 31_536_000 }),
          { ...fixtureTool('naps', 'isolated', { timeout_seconds: 31_536_000 }), name: 'naps_apart' },
        ],
        lead: { timeout_seconds: 31_536_000 },
        subagents: { timeout_seconds: 31_536_000 },
        runtime: { grace_ms: 0 },
      },
      parts: {
        lead: inTurns(callTools(task('sub', 'a')), ({ results }) => say(results.join())),
        sub: inTurns(callTools(call('naps'), call('naps_apart', {}, 'b')), ({ results }) => say(results.join())),
      },
    },
    async ({ runtime }) => {
      const { status, text } = await within(15_000, 'the run', runtime.run('lead').result)
      assert.equal([status, text], ['completed', 'Task Succeeded. Result: awake,awake'])
    },
  ),
)

const read = (path: string): ScriptedCall => call('read_file', { path }, `read ${path}`)
const write = (path: string, content: string): ScriptedCall => call('write_file', { path, content }, `write ${path}`)

test(
  'lead and subagents share the files of their thread, and no other thread sees them',
  scene(
    {
      parts: {
        lead: inTurns(
          callTools(write('/mnt/user-data/workspace/plan.txt', 'the plan')),
          callTools(task('sub', 'a')),
          callTools(read('/mnt/user-data/outputs/report.md')),
          ({ results }) => say(results.join()),
        ),
        sub: inTurns(
          callTools(read('/mnt/user-data/workspace/plan.txt')),
          ({ results }) => callTools(write('/mnt/user-data/outputs/report.md', `read: ${results}`)),
          say('written'),
        ),
        look: inTurns(callTools(read('/mnt/user-data/outputs/report.md')), ({ results }) => say(results.join())),
      },
    },
    async ({ runtime, home }) => {
      const run = runtime.run('lead', { threadId: 'mine' })
      const events = await collect(run)
      assertLawful(events)
      assert.match((await run.result).text, /read: .*the plan/)
      const artifacts = [{ path: '/mnt/user-data/outputs/report.md', type: 'markdown' }]
      assert.equal(ofType(events, 'task_completed')[0]?.artifacts, artifacts)
      assert.equal((await run.result).delegations[0]?.artifacts, artifacts)
      assert.match(readFileSync(join(home, 'threads/mine/user-data/outputs/report.md'), 'utf8'), /the plan/)

      assert.match((await runtime.run('look', { threadId: 'mine' }).result).text, /the plan/)
      assert.match((await runtime.run('look', { threadId: 'other' }).result).text, /^Error/)
    },
  ),
)

test('what a subagent wrote before it failed is part of its partial work', async () => {
  await scene(
    {
      parts: {
        lead: inTurns(callTools(task('sub', 'a')), say('done')),
        sub: inTurns(callTools(write('/mnt/user-data/outputs/half.csv', 'a,b')), { status: 500 }),
      },
    },
    async ({ runtime }) => {
      const [delegation] = (await runtime.run('lead').result).delegations
      assert.equal(delegation?.partial, { text: '', files: ['/mnt/user-data/outputs/half.csv'] })
      assert.equal(delegation?.artifacts, [{ path: '/mnt/user-data/outputs/half.csv', type: 'data' }])
    },
  )()
})

for (const writable of [false, true]) {
  test(`a mounted folder can be read${writable ? ' and written' : ', and not written'}`, async () => {
    const folder = mkdtempSync(join(tmpdir(), 'troupe-mount-'))
    mkdirSync(join(folder, 'below'))
    writeFileSync(join(folder, 'below', 'note.txt'), 'a note')
    try {
      await scene(
        {
          config: { sandbox: { mounts: [{ host: folder, path: '/mnt/data', writable }] } },
          parts: {
            lead: inTurns(callTools(task('sub', 'a')), ({ results }) => say(results.join())),
            sub: inTurns(
              callTools(read('/mnt/data/below/note.txt'), call('grep', { pattern: 'note', path: '/mnt/data' }, 'g')),
              callTools(
                write('/mnt/data/below/note.txt', 'changed'),
                write('/mnt/data/new.txt', 'new'),
                read('/mnt/data/../../etc/passwd'),
              ),
              ({ said }) => say(JSON.stringify(said.filter((text) => text !== ''))),
            ),
          },
        },
        async ({ runtime }) => {
          const { text } = await runtime.run('lead').result
          const [note, found, changed, created, outside] = JSON.parse(text.replace('Task Succeeded. Result: ', ''))
          assert.match(note, /a note/)
          assert.match(found, /\/mnt\/data\/below\/note\.txt:1: a note/)
          for (const outcome of [changed, created]) assert.is(outcome.startsWith('Error'), !writable)
          assert.match(outside, /^Error/)
          assert.is(readFileSync(join(folder, 'below', 'note.txt'), 'utf8'), writable ? 'changed' : 'a note')
          assert.is(existsSync(join(folder, 'new.txt')), writable)
        },
      )()
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })
}

test.run()
