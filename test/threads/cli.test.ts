import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { RunEvent } from '../../src/contract/events.ts'
import { startScriptedModel } from '../../src/testing/scripted-model.ts'
import { call, callTools, say } from '../../src/testing/scripted-reply.ts'
import { built } from '../support/built.ts'
import { troupe, troupeWith } from '../support/troupe-process.ts'

// The built command line, run as a user would: in a folder of theirs, without a key.
const test = suite('troupe', { folder: '' })

const until = async (what: string, check: () => boolean | Promise<boolean>, ms = 10_000) => {
  for (const end = Date.now() + ms; Date.now() < end; await sleep(20)) if (await check()) return
  throw new Error(`waited in vain: ${what}`)
}

/** All processes below one, the process itself left out. */
const below = async (pid: number | undefined): Promise<readonly number[]> => {
  const { stdout } = await promisify(execFile)('ps', ['-eo', 'pid=,ppid='])
  const pairs = stdout
    .trim()
    .split('\n')
    .map((line) => line.trim().split(/\s+/).map(Number) as [number, number])
  const found = [pid]
  for (const parent of found) found.push(...pairs.filter(([, of]) => of === parent).map(([child]) => child))
  return found.slice(1).filter((one) => one !== undefined)
}

const lives = (pid: number): boolean => {
  try {
    process.kill(pid, 0)
    return true
  } catch {
    return false
  }
}

const allGone = (pids: readonly number[]) => until(`processes ${pids} to end`, () => !pids.some(lives), 3000)

const eventsOf = (out: string): RunEvent[] =>
  out
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))

test.before.each(async (context) => {
  context.folder = await mkdtemp(join(tmpdir(), 'troupe-cli-'))
})

test.after.each(({ folder }) => rm(folder, { recursive: true, force: true }))

const fillFolder = async (folder: string) => {
  await mkdir(join(folder, 'src'))
  await writeFile(join(folder, 'README.md'), '# Parrot Lights\n\nLights that repeat what they see.\n\n## Install\n')
  await writeFile(join(folder, 'src/lamp.py'), '# TODO: dim it\nprint(1)\n')
  await writeFile(join(folder, '.env'), 'SECRET=hush-hush\n')
}

test('the demo surveys a folder and leaves nothing in it', async ({ folder }) => {
  await fillFolder(folder)
  const { out, err, code } = await troupe(folder, 'demo').ended
  assert.is(code, 0, err)
  for (const text of [
    'Parrot Lights',
    'src/lamp.py',
    'Code: Python (1 file)',
    'TODO: dim it',
    'Install',
    'scripted demo model, not a language model',
  ]) {
    assert.ok(out.includes(text), `${text} is not in\n${out}`)
  }
  assert.ok(err.startsWith('This run uses the scripted demo model, not a language model.'))
  assert.is(err.match(/^started /gm)?.length, 3)
  assert.is(err.match(/^done /gm)?.length, 3)
  assert.not.ok((out + err).includes('\u001b'), 'no escape codes in a pipe')
  assert.not.ok((out + err).includes('hush-hush'))
  assert.equal((await readdir(folder)).sort(), ['.env', 'README.md', 'src'])
})

test('the demo works in an empty folder', async ({ folder }) => {
  const { out, err, code } = await troupe(folder, 'demo', 'Why?').ended
  assert.is(code, 0, err)
  for (const text of ['The folder is empty', 'No README was found', 'Your question was not answered'])
    assert.ok(out.includes(text), out)
})

test('--json gives every event, and the subagents run at the same time', async ({ folder }) => {
  await fillFolder(folder)
  const { out, code } = await troupe(folder, 'demo', '--json').ended
  assert.is(code, 0)
  const events = eventsOf(out)
  const places = (type: RunEvent['type']) => events.flatMap((event, i) => (event.type === type ? [i] : []))
  assert.is(events[0]?.type, 'run_started')
  assert.is(events.at(-1)?.type, 'run_finished')
  assert.is(places('run_finished').length, 1)
  assert.is(places('task_started').length, 3)
  assert.ok(Math.max(...places('task_started')) < Math.min(...places('task_completed')))
  assert.ok(places('message_delta').length > 10)
  for (const [i, event] of events.entries()) assert.is(event.seq, i + 1)
})

const begun = async (folder: string, ...more: readonly string[]) => {
  await fillFolder(folder)
  const command = troupe(folder, 'demo', ...more)
  await until(
    'the subagents to start',
    () =>
      /started|task_started/.test(command.io.err + command.io.out) &&
      (command.io.err + command.io.out).includes('general-purpose'),
  )
  const children = await below(command.child.pid)
  assert.ok(children.length > 0, 'the demo model is a process of its own')
  return { ...command, children }
}

for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  test(`${signal} once: cancelled in good time, and no process is left`, async ({ folder }) => {
    const { child, ended, children } = await begun(folder)
    const started = performance.now()
    child.kill(signal)
    const { code, err, out } = await ended
    assert.is(code, 130)
    assert.ok(performance.now() - started < 2500)
    assert.is(out, '')
    assert.match(err, 'cancelling, once more to quit at once')
    assert.match(err, /^cancelled .*: Cancelled by user$/m)
    await allGone(children)
  })
}

test('Ctrl-C twice: gone at once, and no process is left', async ({ folder }) => {
  const { child, ended, children } = await begun(folder)
  const started = performance.now()
  child.kill('SIGINT')
  child.kill('SIGTERM')
  assert.is((await ended).code, 130)
  assert.ok(performance.now() - started < 1000)
  await allGone(children)
})

test('a reader that leaves ends the run', async ({ folder }) => {
  const { child, ended, children, io } = await begun(folder, '--json')
  child.stdout.destroy()
  assert.is((await ended).code, 130, io.err)
  assert.is(io.err.split('\n').length, 2, io.err)
  await allGone(children)
})

/** Runs the built command line in a shell, which knows it as `troupe`. */
const inShell = async (folder: string, line: string, env: Readonly<Record<string, string>> = {}) => {
  const shell = `troupe() { '${process.execPath}' '${fileURLToPath(built('cli.js'))}' "$@"; }; ${line}; echo "exit $?" >&2`
  const { stderr } = await promisify(execFile)('sh', ['-c', shell], { cwd: folder, env: { ...process.env, ...env } })
  return stderr
}

const FULL = 'error: The answer could not be written: no space left on device.'
const unwritten = [
  {
    line: 'troupe run --thread kept hi > /dev/full',
    says: `${FULL} The conversation is kept: troupe threads kept shows it.`,
  },
  {
    line: 'troupe run --json --thread kept hi > /dev/full',
    says: `${FULL} The conversation is kept: troupe threads kept shows it.`,
  },
  { line: 'troupe subagents > /dev/full', says: FULL },
  { line: 'troupe check --json > /dev/full', says: FULL },
  { line: 'troupe threads > /dev/full', says: FULL },
  { line: 'troupe completion bash > /dev/full', says: FULL },
  { line: 'troupe --help > /dev/full', says: FULL },
  // Room for a part of it, as on a disk that fills up meanwhile.
  {
    line: 'ulimit -f 1; troupe completion bash > some',
    says: 'error: The answer could not be written: file too large.',
  },
]
const onLinux = process.platform === 'linux' ? test : test.skip
for (const { line, says } of unwritten) {
  onLinux(`an answer that cannot be written is a failure: ${line}`, async ({ folder }) => {
    const model = await startScriptedModel({ reply: () => say('The answer.') })
    try {
      const err = await inShell(folder, line, { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: model.url })
      assert.ok(err.endsWith(`${says}\nexit 1\n`), err)
    } finally {
      await model.close()
    }
  })
}

test('an answer that goes into a file gets there whole, behind what is in it', async ({ folder }) => {
  const line = 'echo mine > some; troupe completion bash >> some'
  assert.is(await inShell(folder, line), 'exit 0\n')
  const script = (await troupe(folder, 'completion', 'bash').ended).out
  assert.is(await readFile(join(folder, 'some'), 'utf8'), `mine\n${script}`)
})

test('killed outright: no process is left', async ({ folder }) => {
  const { child, ended, children } = await begun(folder)
  child.kill('SIGKILL')
  await ended
  await allGone(children)
})

test('with a key set the demo asks that model', async ({ folder }) => {
  const model = await startScriptedModel({ reply: () => say('The sky scatters.') })
  try {
    const { out, err, code } = await troupeWith(
      { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: model.url },
      folder,
      'demo',
      'Why',
      'blue?',
    ).ended
    assert.is(code, 0, err)
    assert.is(out, 'The sky scatters.\n')
    assert.not.match(err, 'scripted demo model')
    assert.match(JSON.stringify(model.requests[0]?.body?.messages), 'Why blue?')
    assert.is(model.requests[0]?.headers.authorization, 'Bearer k')
  } finally {
    await model.close()
  }
})

test('run shows agents the folder, and not what is secret in it', async ({ folder }) => {
  await fillFolder(folder)
  const model = await startScriptedModel({
    reply: ({ index }) =>
      index === 0
        ? callTools(call('ls', { path: '/mnt/project' }), call('read_file', { path: '/mnt/project/.env' }, 'c2'))
        : say('done'),
  })
  try {
    const { err, code } = await troupeWith({ OPENAI_API_KEY: 'k', OPENAI_BASE_URL: model.url }, folder, 'run', 'Look.')
      .ended
    assert.is(code, 0, err)
    const seen = JSON.stringify(model.requests[1]?.body?.messages)
    assert.match(seen, '/mnt/project/src/lamp.py')
    assert.not.match(seen, /hush-hush|\.troupe/)
  } finally {
    await model.close()
  }
})

test('the end of a run says where its files lie, also those of the lead', async ({ folder }) => {
  const write = (name: string, id: string) =>
    call('write_file', { path: `/mnt/user-data/outputs/${name}`, content: 'x' }, id)
  const task = call('task', { description: 'Write', prompt: 'Write sub.md.', subagent_type: 'general-purpose' }, 't')
  const model = await startScriptedModel({
    reply: ({ body }) => {
      const text = JSON.stringify(body?.messages)
      const isDone = body?.messages?.some(({ role }) => role === 'tool')
      if (isDone) return say('done')
      return text.includes('Both.') ? callTools(write('lead.md', 'w'), task) : callTools(write('deep/sub.md', 's'))
    },
  })
  const env = { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: model.url }
  try {
    const first = await troupeWith(env, folder, 'run', '--thread', 'both', 'Both.').ended
    const outputs = '.troupe/threads/both/user-data/outputs'
    const said = `file: ${outputs}/lead.md\nfile: ${outputs}/deep/sub.md\nAll results of this conversation are in ${outputs}\n`
    assert.ok(first.err.endsWith(said), first.err)
    assert.is(await readFile(join(folder, outputs, 'deep/sub.md'), 'utf8'), 'x')
    const second = await troupeWith(env, folder, 'run', '--thread', 'both', 'And?').ended
    assert.not.match(second.err, outputs, 'nothing is new')
    const shown = await troupe(folder, 'threads', 'both').ended
    assert.match(shown.out, /\nfiles: .*\/\.troupe\/threads\/both\/user-data\n/)
  } finally {
    await model.close()
  }
})

for (const placement of ['isolated', 'worker']) {
  test(`--verbose shows what ${placement} tools print`, async ({ folder }) => {
    await writeFile(
      join(folder, 'loud.mjs'),
      `export const loud = {
        name: 'loud',
        description: 'Prints.',
        schema: { type: 'object', properties: {} },
        invoke: async () => { console.log('heard by nobody'); return 'quiet' },
      }`,
    )
    const model = await startScriptedModel({
      reply: ({ body }) =>
        body?.messages?.some(({ role }) => role === 'tool') ? say('done') : callTools(call('loud')),
    })
    const models = [{ name: 'm', model: 'm', base_url: model.url, api_key: 'k' }]
    const tools = [{ name: 'loud', use: './loud.mjs#loud', placement }]
    await writeFile(join(folder, 'config.yaml'), JSON.stringify({ models, tools }))
    try {
      const quiet = await troupe(folder, 'run', 'hi').ended
      assert.not.match(quiet.err, 'heard by nobody')
      const { code, err, out } = await troupe(folder, 'run', '--verbose', 'hi').ended
      assert.equal([code, out], [0, 'done\n'], err)
      assert.match(err, /^debug {5}.*(\n {10})?heard by nobody/m)
    } finally {
      await model.close()
    }
  })
}

test('check finds a tool that cannot be loaded', async ({ folder }) => {
  const config = {
    models: [{ name: 'm', model: 'm', api_key: 'k' }],
    tools: [{ name: 't', group: 'g', use: './none.mjs#t' }],
  }
  await writeFile(join(folder, 'config.yaml'), JSON.stringify(config))
  const { out, code } = await troupe(folder, 'check', '--json').ended
  assert.is(code, 2)
  const { ok, problems } = JSON.parse(out)
  assert.is(ok, false)
  assert.equal(
    problems.map(({ path }: { path: string }) => path),
    ['tools.0.use'],
  )
})

test('check finds a model that cannot be loaded', async ({ folder }) => {
  const use = join(process.cwd(), 'test/models/langchain/fixtures.mjs')
  const config = { models: [{ name: 'm', model: 'm', use: `${use}#Missing`, api_key: 'k' }] }
  await writeFile(join(folder, 'config.yaml'), JSON.stringify(config))
  const { out, code } = await troupe(folder, 'check').ended
  assert.is(code, 2)
  assert.match(out, /^models\.0\.use: cannot be loaded: the module has no export 'Missing'; it exports .*Scripted/m)
})

const asked = [
  { args: ['run', 'hi'], code: 2, says: 'OPENAI_API_KEY' },
  { args: ['subagents'], code: 2, says: 'npm start' },
  { args: ['run', '--jsno', 'hi'], code: 2, says: 'Did you mean --json?' },
  { args: ['check', '--config', 'none.yaml'], code: 2, says: '' },
]
for (const { args, code, says } of asked) {
  test(`troupe ${args.join(' ')}`, async ({ folder }) => {
    const ended = await troupe(folder, ...args).ended
    assert.is(ended.code, code)
    assert.ok(ended.err.includes(says), ended.err)
    assert.equal(await readdir(folder), [])
  })
}

test('the version and help answer in any folder', async ({ folder }) => {
  assert.match((await troupe(folder, '--version').ended).out, /^\d+\.\d+\.\d+\n$/)
  assert.match((await troupe(folder, 'run', '--help').ended).out, 'Usage: troupe run [options] PROMPT|-')
})

test.run()
