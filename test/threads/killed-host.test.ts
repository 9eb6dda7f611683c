import { spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, realpathSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Runtime } from '../../src/contract/api.ts'
import { createRuntime } from '../../src/index.ts'
import { type ScriptedModel, startScriptedModel } from '../../src/testing/scripted-model.ts'
import { call, callTools, say } from '../../src/testing/scripted-reply.ts'
import { compiled } from '../support/compiled.ts'
import { collect, ofType } from '../support/runtime-events.ts'
import { modelAt, until, wait, within } from '../support/runtime-scene.ts'
import { cast, inTurns, type Part } from '../support/runtime-script.ts'
import { assertAllStrict } from '../support/strict-wire.ts'

/** Runs that are under way when their host is killed. All of it: TROUPE_KILLED_RUNS=200 npm run test:threads killed-host */
const RUNS = Number(process.env['TROUPE_KILLED_RUNS'] ?? 24)
const AT_ONCE = 8

const soon = () => ({ delayMs: Math.random() * 60 })
const later =
  (reply: object): Part =>
  () => ({ ...reply, ...soon() })

const parts: Readonly<Record<string, Part>> = {
  lead: inTurns(
    later(callTools(call('bash', { command: 'sleep 60 & echo begun' }), call('task', { prompt: 'sub' }))),
    later(
      callTools(call('who'), call('write_file', { path: 'note.txt', content: 'x' }), call('task', { prompt: 'sub' })),
    ),
    ({ prompt }) => ({ ...say(`answer to ${prompt}`), ...soon() }),
  ),
  sub: inTurns(later(callTools(call('bash', { command: 'sleep 60 & sleep 0.05' }))), later(say('found'))),
  again: () => say('here again'),
}

interface Said {
  readonly begun?: string
  readonly threadId?: string
  readonly prompt?: string
  readonly status?: string
  readonly text?: string
}

interface Killed {
  readonly threads: readonly string[]
  /** What the host had said of runs that ended. */
  readonly said: readonly Said[]
  /** The logs as they were just before. */
  readonly logs: ReadonlyMap<string, string>
}

const logOf = (home: string, threadId: string): string => {
  const file = join(home, 'threads', threadId, 'thread.jsonl')
  return existsSync(file) ? readFileSync(file, 'utf8') : ''
}

/** Lets a host run until some time, and kills it. */
const killedHost = async ({ root, home, model }: Scene, name: string, late: boolean): Promise<Killed> => {
  const script = fileURLToPath(compiled('threads/killed-host.entry.ts'))
  const tools = join(process.cwd(), 'test/threads/fixtures/tools.mjs')
  const args = [script, model.url, home, tools, name, String(AT_ONCE)]
  const child = spawn(process.execPath, args, {
    cwd: root,
    env: { ...process.env, TROUPE_TEST_ROOT: root },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const said: Said[] = []
  let text = ''
  child.stdout.setEncoding('utf8').on('data', (piece) => {
    const lines = (text + piece).split('\n')
    text = lines.pop() ?? ''
    said.push(...lines.map((line) => JSON.parse(line)))
  })
  const exited = new Promise((resolve) => child.once('close', resolve))
  try {
    await until(20_000, 'the runs begin', () => said.length >= AT_ONCE)
    if (late) await until(20_000, 'a run ends', () => said.some(({ status }) => status !== undefined))
    await wait(Math.random() * 2000)
    assert.ok(!hasProc || processesBelow(root).length > 1, 'its processes are seen')
    const threads = new Set(said.flatMap(({ begun }) => begun ?? []))
    const logs = new Map([...threads].map((id) => [id, logOf(home, id)]))
    child.kill('SIGKILL')
    await within(5000, 'the host is gone', exited)
    return { threads: [...threads], said: said.filter(({ begun }) => begun === undefined), logs }
  } finally {
    child.kill('SIGKILL')
  }
}

const hasProc = existsSync('/proc/self/environ')

/** Processes that were started below a folder, or by one that was. */
const processesBelow = (root: string): readonly string[] => {
  const has = (pid: string): boolean => {
    try {
      const text = `${readlinkSync(`/proc/${pid}/cwd`)}\n${readFileSync(`/proc/${pid}/environ`, 'utf8')}`
      return text.includes(root)
    } catch {
      return false
    }
  }
  return readdirSync('/proc').filter((name) => /^\d+$/.test(name) && has(name))
}

const wholeLines = (log: string): string => log.slice(0, log.lastIndexOf('\n') + 1)

interface Scene {
  readonly root: string
  readonly home: string
  readonly model: ScriptedModel
  readonly runtime: Runtime
}

/** Goes on with a conversation of a host that was killed. Resolves with whether it had been cut off. */
const goOn = async ({ home, model, runtime }: Scene, threadId: string, { said, logs }: Killed): Promise<boolean> => {
  assert.ok(logOf(home, threadId).startsWith(wholeLines(logs.get(threadId) ?? '')), 'what was written is there')
  const run = runtime.run('again', { threadId })
  const { status, text, error } = await within(10_000, 'the next run', run.result)
  assert.equal([status, text, error], ['completed', 'here again', null])
  const messages = model.requests.at(-1)?.body?.messages ?? []
  const texts = messages.map(({ role, content }) => `${role}: ${content}`)
  for (const { prompt, text: answer } of said.filter((each) => each.threadId === threadId)) {
    assert.ok(texts.includes(`user: ${prompt}`) && texts.includes(`assistant: ${answer}`), texts.join('\n'))
  }
  return ofType(await collect(run.watch()), 'warning').some(({ message }) => message.includes('was cut off'))
}

const killOne = async (scene: Scene, round: number): Promise<{ readonly cutOff: number; readonly results: number }> => {
  const killed = await killedHost(scene, `h${round}`, round === 0)
  const { root } = scene
  if (hasProc) await until(1000, 'no process is left', () => processesBelow(root).length === 0)
  assert.ok(killed.said.every(({ status }) => status === 'completed'))
  let cutOff = 0
  for (const threadId of killed.threads) cutOff += (await goOn(scene, threadId, killed)) ? 1 : 0
  assertAllStrict(scene.model.requests)
  return { cutOff, results: killed.said.length }
}

test('of a host that is killed every conversation goes on, without a word lost that was written, and no process is left', async () => {
  const root = realpathSync(mkdtempSync(join(tmpdir(), 'troupe-')))
  const home = join(root, 'home')
  const model = await startScriptedModel({ reply: cast(parts) })
  const runtime = await createRuntime({ config: { models: [modelAt(model.url)] }, home })
  try {
    let [runs, cutOff, results] = [0, 0, 0]
    for (let round = 0; runs < RUNS; round++) {
      const counts = await killOne({ root, home, model, runtime }, round)
      runs += AT_ONCE
      cutOff += counts.cutOff
      results += counts.results
    }
    assert.ok(cutOff > 0 && results > 0)
    console.log(`${runs} runs were under way: ${cutOff} logs cut off, ${results} results before`)
  } finally {
    await runtime.close()
    await model.close()
    rmSync(root, { recursive: true, force: true })
  }
})

test.run()
