import { mkdirSync, mkdtempSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { RunOptions, Runtime } from '../../src/contract/api.ts'
import type { RunEvent } from '../../src/contract/events.ts'
import type { RunResult } from '../../src/contract/result.ts'
import { createRuntime } from '../../src/index.ts'
import { type ScriptedModel, startScriptedModel } from '../../src/testing/scripted-model.ts'
import { call, callTools, say } from '../../src/testing/scripted-reply.ts'
import { assertLawful, collect, ofType } from '../support/runtime-events.ts'
import { fixtureTool, modelAt, within } from '../support/runtime-scene.ts'
import { cast, inTurns, type Part } from '../support/runtime-script.ts'

interface Scene {
  readonly runtime: Runtime
  readonly model: ScriptedModel
  readonly folder: string
  /** Puts another config in the place of the file, over the one model. */
  edit(tree: object): void
  /** Puts text there as it is. */
  write(text: string): void
  run(prompt: string, options?: RunOptions): Promise<Ended>
}

interface Ended {
  readonly events: readonly RunEvent[]
  readonly result: RunResult
}

/** A tool of the fixtures, from wherever the config lies. */
const tool = (name: string, rest: object = {}) => ({
  ...fixtureTool(name, 'isolated', rest),
  use: `${process.cwd()}/test/threads/fixtures/tools.mjs#${name}`,
})

const scene =
  (parts: Readonly<Record<string, Part>>, first: object, play: (scene: Scene) => Promise<void>) =>
  async (): Promise<void> => {
    const folder = mkdtempSync(join(tmpdir(), 'troupe-edits-'))
    const model = await startScriptedModel({ reply: cast(parts) })
    const path = join(folder, 'config.yaml')
    const write = (text: string): void => {
      writeFileSync(`${path}.new`, text)
      renameSync(`${path}.new`, path)
    }
    const edit = (tree: object): void =>
      write(JSON.stringify({ models: [modelAt(model.url)], runtime: { threads: 1 }, ...tree }))
    edit(first)
    const runtime = await createRuntime({ config: path, home: folder })
    const run = async (prompt: string, options: RunOptions = {}): Promise<Ended> => {
      const started = runtime.run(prompt, options)
      const events = await within(15_000, prompt, collect(started))
      assertLawful(events)
      return { events, result: await started.result }
    }
    try {
      await play({ runtime, model, folder, edit, write, run })
    } finally {
      await within(10_000, 'close', runtime.close())
      await model.close()
      rmSync(folder, { recursive: true, force: true })
    }
  }

const answers = { hello: inTurns(say('hi')) }
const nameOf = ({ events }: Ended): string | undefined => ofType(events, 'run_started')[0]?.model_name
const AGENT = { description: 'Helps', system_prompt: 'You were there first.' }

test(
  'models, limits and agents of an edit are those of the next run',
  scene(answers, {}, async ({ model, edit, run, runtime }) => {
    assert.is(nameOf(await run('hello')), 'main')
    edit({
      models: [modelAt(model.url, 'second'), modelAt(model.url)],
      lead: { max_turns: 3 },
      subagents: { custom_agents: { helper: AGENT } },
    })
    const [started] = ofType((await run('hello')).events, 'run_started')
    assert.equal(
      [started?.model_name, started?.limits.max_turns, started?.effective_policies.subagents],
      ['second', 3, ['general-purpose', 'helper']],
    )
    assert.is(model.requests.at(-1)?.body?.['model'], 'second-model')
    edit({ subagents: { custom_agents: { other: AGENT } } })
    assert.equal(
      (await runtime.subagents()).map(({ name }) => name),
      ['general-purpose', 'bash', 'other'],
    )
  }),
)

test(
  'tools, mounts and commands of an edit can be used by the next run',
  scene(
    {
      hello: inTurns(
        callTools(
          call('instant', {}, 'a'),
          call('ls', { path: '/mnt/data' }, 'b'),
          call('bash', { command: 'echo ok' }, 'c'),
        ),
        ({ results }) => say(JSON.stringify(results)),
      ),
    },
    {},
    async ({ edit, run, folder }) => {
      const before = JSON.parse((await run('hello')).result.text) as string[]
      assert.ok(
        before.every((result) => result.startsWith('Error')),
        before.join('\n'),
      )
      mkdirSync(join(folder, 'data of mine'))
      writeFileSync(join(folder, 'data of mine', 'found.txt'), '')
      edit({
        tools: [tool('instant')],
        sandbox: { allow_host_bash: true, mounts: [{ host: './data of mine', path: '/mnt/data' }] },
      })
      const [instant, listed, command] = JSON.parse((await run('hello')).result.text) as string[]
      assert.is(instant, 'at once')
      assert.match(listed ?? '', 'found.txt')
      assert.match(command ?? '', /^ok/)
      edit({})
      const after = JSON.parse((await run('hello')).result.text) as string[]
      assert.ok(
        after.every((result) => result.startsWith('Error')),
        after.join('\n'),
      )
    },
  ),
)

test('a run under way keeps what it started with, also for what it delegates later', async () => {
  let goOn = (): void => {}
  const edited = new Promise<void>((resolve) => {
    goOn = resolve
  })
  const helper = call('task', { prompt: 'sub', subagent_type: 'helper' }, 't')
  const parts: Record<string, Part> = {
    lead: inTurns(
      async () => {
        await edited
        return callTools(helper)
      },
      ({ results }) => say(results.join()),
    ),
    sub: ({ request }) => say(String(request.body?.messages?.[0]?.content).includes('first') ? 'as before' : 'edited'),
    hello: inTurns(say('hi')),
  }
  await scene(parts, { subagents: { custom_agents: { helper: AGENT } } }, async ({ edit, run }) => {
    const first = run('lead')
    await run('hello')
    edit({ subagents: { custom_agents: { helper: { ...AGENT, system_prompt: 'You are another.' } } } })
    assert.is((await run('hello')).result.status, 'completed')
    edit({ lead: { max_turns: 9 } })
    assert.is((await run('hello')).result.status, 'completed')
    goOn()
    assert.is((await first).result.text, 'Task Succeeded. Result: as before')
  })()
})

test(
  'a name that comes with an edit is known at once, and one that is nowhere ends the run',
  scene(answers, {}, async ({ model, edit, run, runtime }) => {
    await run('hello')
    assert.throws(() => runtime.run('hello', { model: 'second' }), /OPTIONS_INVALID|not in models/)
    edit({ models: [modelAt(model.url), modelAt(model.url, 'second')] })
    assert.is(nameOf(await run('hello', { model: 'second' })), 'second')
    edit({ agents: { reviewer: AGENT } })
    assert.is((await run('hello', { agent: 'reviewer' })).result.status, 'completed')
    edit({ models: [modelAt(model.url, 'third')] })
    assert.throws(() => runtime.run('hello', { model: 'third', threadId: 'no thread' }), /threadId/)
    const { result } = await run('hello', { model: 'second' })
    assert.equal([result.status, result.error?.code, result.turns], ['failed', 'OPTIONS_INVALID', 0])
    assert.match(result.error?.message ?? '', '"second" is not in models: third')
    assert.throws(() => runtime.run('hello', { model: 'second' }), /not in models/)
  }),
)

test(
  'an edit that is wrong is told to every run, which goes on with what was right',
  scene(answers, { lead: { max_turns: 4 } }, async ({ write, edit, run }) => {
    write('lead: {max_turns: none, maxTurns: 4}')
    for (const _run of [1, 2]) {
      const { events, result } = await run('hello')
      assert.is(result.status, 'completed')
      assert.is(ofType(events, 'run_started')[0]?.limits.max_turns, 4)
      const [{ code, message } = { code: '', message: '' }, ...more] = ofType(events, 'warning')
      assert.equal([code, more], ['config', []])
      assert.match(
        message,
        /was edited and cannot be used.*config\.yaml.*lead\.max_turns: must be.*lead\.maxTurns: is not a known key/,
      )
    }
    edit({ tools: [{ name: 'broken', use: './nowhere.mjs#broken' }] })
    assert.match(ofType((await run('hello')).events, 'warning')[0]?.message ?? '', 'tools.0.use: cannot be loaded')
    edit({ lead: { max_turns: 5 } })
    const { events } = await run('hello')
    assert.equal([ofType(events, 'run_started')[0]?.limits.max_turns, ofType(events, 'warning')], [5, []])
  }),
)

test(
  'a tool of an edit that never loads does not hold up the end of the runtime',
  scene(answers, {}, async ({ edit, runtime, folder }) => {
    writeFileSync(join(folder, 'hangs.mjs'), 'await new Promise(() => setInterval(() => {}, 1000))')
    edit({ tools: [{ name: 'hangs', use: './hangs.mjs#hangs' }] })
    const run = runtime.run('hello')
    await new Promise((resolve) => setTimeout(resolve, 300))
    await within(5000, 'close', runtime.close())
    assert.is((await run.result).status, 'cancelled')
  }),
)

test.run()
