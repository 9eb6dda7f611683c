import { Readable } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { COMMANDS, dispatch } from '../../src/cli/dispatch.ts'
import type { World } from '../../src/cli/world.ts'
import type { CatalogEntry } from '../../src/contract/api.ts'
import { type ErrorCode, TroupeError } from '../../src/contract/errors.ts'
import type { RunEvent } from '../../src/contract/events.ts'
import type { RunResult } from '../../src/contract/result.ts'
import type { Mount } from '../../src/contract/tools.ts'
import { event, finished, started, taskCompleted, taskStarted, usage } from './events.ts'
import { fakeRuntime, fakeWorld, pipe } from './fake-world.ts'

const troupe = async (argv: readonly string[], fields: Partial<World> = {}) => {
  const { world, stdout, stderr, exits } = fakeWorld(fields)
  const code = await dispatch(argv, '1.2.3', world)
  return { code, out: stdout.text, err: stderr.text, exits }
}

const misuse = [
  { argv: [], says: 'Usage: troupe COMMAND' },
  { argv: ['rnu'], says: 'Unknown command "rnu". Did you mean run?' },
  { argv: ['frobnicate'], says: 'Known are run, ' },
  { argv: ['--verison'], says: 'Unknown option --verison. Did you mean --version?' },
  { argv: ['--json', 'hi'], says: 'A command comes first' },
  { argv: ['help', 'rnu'], says: 'Did you mean run?' },
  { argv: ['run'], says: 'A prompt is missing' },
  { argv: ['run', '  '], says: 'The prompt is empty.' },
  { argv: ['run', '-'], says: 'The prompt is empty.' },
  { argv: ['run', '-', 'more'], says: 'leaves no room for another: troupe run - <' },
  { argv: ['run', '--thread', 'a b/..', 'hi'], says: '--thread takes a name of 1 to 64 letters' },
  { argv: ['check', 'my conf.yaml'], says: "For another config: troupe check --config 'my conf.yaml'" },
  { argv: ['subagents', 'x'], says: 'takes no word beside its options, and was given "x".' },
  { argv: ['run', '--modle', 'm', 'hi'], says: 'Did you mean --model?\nSee: troupe run --help' },
  { argv: ['check', '--confg', 'f'], says: 'Did you mean --config?' },
]
for (const { argv, says } of misuse) {
  test(`misuse: troupe ${argv.join(' ')}`, async () => {
    const { code, out, err } = await troupe(argv)
    assert.is(code, 2)
    assert.is(out, '')
    assert.ok(err.includes(says), err)
  })
}

// Half a sequence at the end of what was given must not swallow what stands behind it.
const HALF = 'a\u202e\u001b'
const hostile: readonly { argv: readonly string[]; says: string }[] = [
  { argv: [HALF], says: 'Unknown command "a". ' },
  { argv: [`--${HALF}`], says: 'Unknown option --a. ' },
  { argv: ['run', `--${HALF}`], says: 'Unknown option --a.\n' },
  { argv: ['run', '--max-total', HALF, 'x'], says: '--max-total wants a whole number, not "a".\n' },
  { argv: ['run', '--thread', 'a\u202e', 'x'], says: 'digits, "_" or "-", not "a".\n' },
  ...['thread', 'model', 'agent'].map((flag) => ({
    argv: ['run', `--${flag}`, HALF, 'x'],
    says: `--${flag} takes a name without control characters, not "a".\n`,
  })),
  {
    argv: ['check', HALF],
    says: `was given "a". For another config: troupe check --config $'a\\xe2\\x80\\xae\\x1b'\n`,
  },
  { argv: ['check', HALF, '--config', HALF], says: 'was given "a". ' },
  { argv: ['completion', HALF], says: 'No completion for "a". ' },
  { argv: ['threads', HALF], says: 'There is no conversation "a" in /project/.troupe. ' },
]
for (const { argv, says } of hostile) {
  test(`what is given is shown harmless: troupe ${JSON.stringify(argv)}`, async () => {
    const { code, err } = await troupe(argv)
    assert.is(code, 2)
    assert.ok(err.includes(says), err)
    for (const bad of ['\u001b', '\u202e']) assert.not.ok(err.includes(bad))
  })
}

test('what a runtime throws turns no direction, and a problem of a config ends where it ends', async () => {
  const thrown = [
    new TroupeError('OPTIONS_INVALID', 'model "a\u202e" is not in models: m'),
    new Error('no "a\u202e"'),
    new TroupeError('CONFIG_INVALID', 'The config has a problem:', {
      problems: [{ level: 'error', path: `agents.${HALF}`, code: 'c', message: `no "${HALF}`, nearest: HALF }],
    }),
  ]
  const said = await Promise.all(thrown.map((error) => troupe(['run', 'hi'], { open: () => Promise.reject(error) })))
  assert.equal(
    said.map(({ err }) => err.split('\n').slice(0, 2)),
    [
      ['error: model "a" is not in models: m (OPTIONS_INVALID)', 'See: troupe run --help'],
      ['error: no "a"', ''],
      ['error: The config has a problem:', '  agents.a: no "a (did you mean "a"?)'],
    ],
  )
})

test('help names every command, and every command has help with its flags and examples', async () => {
  const main = await troupe(['--help'])
  assert.is(main.code, 0)
  for (const { name, flags } of COMMANDS) {
    assert.ok(main.out.includes(`  ${name} `))
    const { code, out } = await troupe([name, '--help'])
    assert.is(code, 0)
    assert.is(out, (await troupe(['help', name])).out)
    for (const flag of Object.keys(flags)) assert.ok(out.includes(`--${flag}`))
    assert.ok(out.includes('Examples:'))
  }
})

test('help fits a terminal, and is not folded elsewhere', async () => {
  for (const name of COMMANDS.map((one) => one.name)) {
    for (const columns of [40, 60, 80]) {
      const stdout = Object.assign(pipe(), { isTTY: true, columns })
      await troupe([name, '--help'], { stdout })
      const [prose = ''] = stdout.text.split('Examples:')
      for (const line of prose.split('\n')) assert.ok(line.length <= columns, `${columns}: ${line}`)
    }
    const { out } = await troupe([name, '--help'])
    assert.ok(out.startsWith(`${COMMANDS.find((one) => one.name === name)?.about}\n\nUsage: troupe ${name}`))
  }
})

test('the version is printed', async () =>
  assert.equal(await troupe(['--version']), { code: 0, out: '1.2.3\n', err: '', exits: [] }))

const ends: readonly { name: string; result: Partial<RunResult>; code: number; out: string; err: string }[] = [
  { name: 'completed', result: {}, code: 0, out: 'The answer.\n', err: 'completed · 2 turns · thread t1\n' },
  {
    name: 'completed at a cap',
    result: { stop_reason: 'turn_capped', usage: usage(2000) },
    code: 0,
    out: 'The answer.\n',
    err: 'completed (turn cap) · 2 turns · 2.0k tokens · thread t1\n',
  },
  {
    name: 'failed',
    result: { status: 'failed', text: 'half', error: { code: 'MODEL_FAILED', message: 'no answer' } },
    code: 1,
    out: '',
    err: "the lead's last words: half\nerror: no answer (MODEL_FAILED)\n",
  },
  {
    name: 'timed out',
    result: { status: 'timed_out', text: '', error: { code: 'TIMED_OUT', message: 'late' } },
    code: 1,
    out: '',
    err: 'error: late (TIMED_OUT)\nGive the lead more time',
  },
  { name: 'cancelled', result: { status: 'cancelled', text: '' }, code: 130, out: '', err: 'cancelled · 2 turns' },
  {
    name: 'needs input',
    result: { status: 'needs_input', text: 'Which one?' },
    code: 3,
    out: 'Which one?\n',
    err: 'troupe run --thread t1 "..."',
  },
]
for (const { name, result, code, out, err } of ends) {
  test(`a run that ends ${name}`, async () => {
    const fake = fakeRuntime([started(), finished(3, result)], result)
    const ended = await troupe(['run', 'hi'], { open: async () => fake.runtime })
    assert.is(ended.code, code)
    assert.is(ended.out, out)
    assert.ok(ended.err.includes(err), ended.err)
    assert.equal(fake.done, ['run: hi {}', 'close'])
  })
}

const answers = [
  {
    name: 'a pipe gets it as the model wrote it',
    isTTY: false,
    env: {},
    out: '\n# Títle\n\u001b[31m- a\tb\u001b[0m\u0007 \n',
  },
  {
    name: 'a terminal gets it rendered',
    isTTY: true,
    env: { TERM: 'xterm' },
    out: '\n\u001b[1;4mTítle\u001b[0m\n\n• a b\n',
  },
  { name: 'without colours the marks stay', isTTY: true, env: { NO_COLOR: '1' }, out: '\n# Títle\n\n• a b\n' },
  { name: 'a dumb terminal gets clean text', isTTY: true, env: { TERM: 'dumb' }, out: '\n# Títle\n- a\tb\n' },
]
for (const { name, isTTY, env, out } of answers) {
  test(`the answer: ${name}`, async () => {
    const text = '\n# Títle\n\u001b[31m- a\tb\u001b[0m\u0007 '
    const fake = fakeRuntime([finished(1, { text })], { text })
    const stdout = Object.assign(pipe(), { isTTY, columns: 80 })
    await troupe(['run', 'hi'], { open: async () => fake.runtime, env, stdout })
    assert.is(stdout.text, out)
  })
}

const terminalsWithLinks = [
  { env: { TERM: 'xterm-kitty' }, shows: true },
  { env: { TERM_PROGRAM: 'WezTerm' }, shows: true },
  { env: { VTE_VERSION: '7200' }, shows: true },
  { env: { VTE_VERSION: '4800' }, shows: false },
  { env: { TERM: 'xterm' }, shows: false },
  { env: { TERM: 'tmux-256color', VTE_VERSION: '7200' }, shows: false },
  { env: { CI: '1', VTE_VERSION: '7200' }, shows: false },
  { env: { TERM: 'xterm', FORCE_HYPERLINK: '1' }, shows: true },
  { env: { TERM: 'xterm-kitty', FORCE_HYPERLINK: '0' }, shows: false },
]
for (const { env, shows } of terminalsWithLinks) {
  test(`links with ${JSON.stringify(env)}: ${shows}`, async () => {
    const text = '[a](https://x.example)'
    const stdout = Object.assign(pipe(), { isTTY: true, columns: 80 })
    await troupe(['run', 'hi'], {
      open: async () => fakeRuntime([finished(1, { text })], { text }).runtime,
      env,
      stdout,
    })
    assert.is(stdout.text.includes('\u001b]8;;https://x.example\u001b\\'), shows)
    assert.is(stdout.text.includes('(https://x.example)'), !shows)
  })
}

const refusals: readonly { code: ErrorCode; exit: number }[] = [
  { code: 'CONFIG_INVALID', exit: 2 },
  { code: 'ENV_UNSET', exit: 2 },
  { code: 'OPTIONS_INVALID', exit: 2 },
  { code: 'INTERNAL', exit: 1 },
]
for (const { code, exit } of refusals) {
  test(`a runtime that refuses with ${code}`, async () => {
    const problems = [{ level: 'error', path: 'models', code: 'missing', message: 'no model' }] as const
    const error = new TroupeError(
      code,
      'The config has a problem:\nmodels: no model',
      code === 'CONFIG_INVALID' ? { problems } : {},
    )
    const { code: status, out, err } = await troupe(['run', 'hi'], { open: () => Promise.reject(error) })
    assert.is(status, exit)
    assert.is(out, '')
    if (code === 'CONFIG_INVALID')
      assert.match(err, /^error: The config has a problem:\n {2}models: no model\n.*OPENAI_API_KEY.*npm start/)
  })
}

test('--json writes one event a line and nothing else', async () => {
  const evil = 'a\n\u001b[2J\u009b\u2028\u202eb'
  const events: readonly RunEvent[] = [
    started(),
    event('message_delta', 1, { text: evil, message_id: 'm' }),
    finished(2),
  ]
  const fake = fakeRuntime(events)
  const { code, out, err } = await troupe(['run', '--json', 'hi'], { open: async () => fake.runtime })
  assert.is(code, 0)
  assert.equal(
    out
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line)),
    events,
  )
  for (const bad of ['\u001b', '\u009b', '\u2028', '\u202e']) assert.not.ok(out.includes(bad))
  assert.is(err, '')
})

test('--json whose reader leaves cancels the run and closes', async () => {
  const fake = fakeRuntime([started(), taskStarted(1, 'a', 'x'), taskCompleted(2, 'a'), null, finished(3)])
  const { code, err } = await troupe(['run', '--json', 'hi'], { open: async () => fake.runtime, stdout: pipe(1) })
  assert.is(code, 130)
  assert.equal(fake.done.slice(1), ['cancel: left', 'close'])
  assert.is(err, '')
})

const KEPT = ' The conversation is kept: troupe threads t1 shows it.'
const unwritten: readonly { argv: readonly string[]; error: Parameters<typeof pipe>[1]; code: number; says: string }[] =
  [
    { argv: ['run', 'hi'], error: 'EPIPE', code: 0, says: '' },
    { argv: ['run', 'hi'], error: 'ECONNRESET', code: 0, says: '' },
    { argv: ['run', 'hi'], error: 'ENOSPC', code: 1, says: `no space left on device.${KEPT}` },
    { argv: ['run', 'hi'], error: 'EIO', code: 1, says: `i/o error.${KEPT}` },
    { argv: ['run', '--json', 'hi'], error: 'ENOSPC', code: 1, says: `no space left on device.${KEPT}` },
    { argv: ['subagents'], error: 'EPIPE', code: 0, says: '' },
    ...[
      ['subagents'],
      ['threads'],
      ['check', '--json'],
      ['completion', 'bash'],
      ['--help'],
      ['--version'],
      ['demo', '-h'],
    ].map((argv) => ({ argv, error: 'ENOSPC' as const, code: 1, says: 'no space left on device.' })),
  ]
for (const { argv, error, code, says } of unwritten) {
  test(`troupe ${argv.join(' ')} whose answer meets ${error} ends with ${code}`, async () => {
    const runtime = Object.assign(fakeRuntime([finished(1)]).runtime, { subagents: async () => [] })
    const env = { OPENAI_API_KEY: 'k' }
    const ended = await troupe(argv, { open: async () => runtime, env, stdout: pipe(0, error) })
    assert.is(ended.code, code)
    const errors = ended.err.split('\n').filter((line) => line.startsWith('error'))
    assert.equal(errors, says === '' ? [] : [`error: The answer could not be written: ${says}`])
  })
}

test('an output that is closed meanwhile is a reader that left', async () => {
  const stdout = pipe()
  stdout._write = () => void stdout.destroy()
  assert.equal(await troupe(['--version'], { stdout }), { code: 0, out: '', err: '', exits: [] })
})

for (const argv of [
  ['subagents', '--json'],
  ['check', '--json', '--config', '/nowhere/\u009b\u202e.yaml'],
]) {
  test(`JSON that cannot drive a terminal: troupe ${JSON.stringify(argv)}`, async () => {
    const subagents = async () => [{ name: '\u009b\u202e' }] as unknown as readonly CatalogEntry[]
    const runtime = Object.assign(fakeRuntime([]).runtime, { subagents })
    const { out } = await troupe(argv, { open: async () => runtime })
    assert.match(JSON.stringify(JSON.parse(out)), '\u009b\u202e')
    assert.not.match(out, /[^\P{C}\n]/u)
  })
}

test('--json waits for a slow reader', async () => {
  let taken = 0
  const slow = pipe()
  slow._write = (chunk: Buffer, _, done) => {
    if (chunk.length > 0) taken++
    setTimeout(done, 5)
  }
  Object.defineProperty(slow, 'writableHighWaterMark', { value: 1 })
  let seen = 0
  let ahead = 0
  const events = Array.from({ length: 20 }, () =>
    event('message_delta', 1, { text: 'x'.repeat(100_000), message_id: 'm' }),
  )
  const fake = fakeRuntime([...events, finished(2)])
  const open = async () => {
    const run = fake.runtime.run
    fake.runtime.run = (...args) => {
      const inner = run(...args)
      const iterate = inner[Symbol.asyncIterator].bind(inner)
      const counted = async function* () {
        for await (const one of { [Symbol.asyncIterator]: iterate }) {
          ahead = Math.max(ahead, ++seen - taken)
          yield one
        }
      }
      return Object.assign(inner, { [Symbol.asyncIterator]: counted })
    }
    return fake.runtime
  }
  assert.is((await troupe(['run', '--json', 'hi'], { open, stdout: slow })).code, 0)
  assert.is(taken, 21)
  assert.ok(ahead <= 2, `${ahead} events ahead of the reader`)
})

const PRINTED = [
  'debug     a tool printed (tool lookup)',
  '          one',
  '          two',
  'info      The config was edited (file c.yaml, revision 2)',
  'debug     said (thread 1)',
  '          more',
]
const logs = [
  { argv: ['run', 'hi'], says: [] },
  { argv: ['run', '--verbose', 'hi'], says: PRINTED },
  { argv: ['run', '--verbose', '--json', 'hi'], says: PRINTED },
  { argv: ['demo', '--verbose'], env: { OPENAI_API_KEY: 'k' }, says: PRINTED },
]
for (const { argv, env = {}, says } of logs) {
  test(`what the runtime logs: troupe ${argv.join(' ')}`, async () => {
    const open: World['open'] = async ({ log }) => {
      log?.('debug', 'a tool printed', { tool: 'lookup', text: 'one\n\u001b[31mtwo\u001b[0m\n' })
      log?.('info', 'The config was edited', { file: 'c.yaml', revision: 2 })
      log?.('debug', 'said\nmore', { thread: 1 })
      for (let i = 0; i < 2; i++) log?.('warn', 'is not set', { path: 'models.0.api_key', code: 'env_unset' })
      return fakeRuntime([finished(1)]).runtime
    }
    const { err } = await troupe(argv, { env, open })
    const warning = 'warning: models.0.api_key: is not set'
    const lines = err.split('\n').filter((line) => line !== '' && !line.startsWith('completed'))
    assert.equal(lines, [...says, warning])
  })
}

for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
  test(`${signal} cancels the run once`, async () => {
    const fake = fakeRuntime([started(), null])
    const { world, stderr, exits } = fakeWorld({ open: async () => fake.runtime })
    const ended = dispatch(['run', 'hi'], '1', world)
    await sleep(5)
    world.signals.emit(signal)
    assert.is(await ended, 130)
    assert.equal(fake.done.slice(1), ['cancel: Cancelled by user', 'close'])
    assert.ok(stderr.text.includes('cancelling, once more to quit at once'))
    assert.equal(exits, [])
    assert.is(world.signals.listenerCount(signal), 0)
  })
}

test('a second signal leaves at once', async () => {
  const fake = fakeRuntime([started(), null])
  fake.runtime.close = () => new Promise(() => {})
  const { world, exits } = fakeWorld({ open: async () => fake.runtime })
  void dispatch(['run', 'hi'], '1', world)
  await sleep(5)
  world.signals.emit('SIGINT')
  world.signals.emit('SIGTERM')
  assert.equal(exits, [130])
})

test('a signal before the run has begun leaves at once', async () => {
  const { world, exits } = fakeWorld({ open: () => new Promise(() => {}) })
  void dispatch(['run', 'hi'], '1', world)
  await sleep(5)
  world.signals.emit('SIGINT')
  assert.equal(exits, [130])
})

test('SIGQUIT leaves at once', async () => {
  const fake = fakeRuntime([started(), null])
  const { world, exits } = fakeWorld({ open: async () => fake.runtime })
  void dispatch(['run', 'hi'], '1', world)
  await sleep(5)
  world.signals.emit('SIGQUIT')
  assert.equal(exits, [130])
})

test('a run that does not settle is left once the grace time is over', async () => {
  const fake = fakeRuntime([started(), null])
  fake.runtime.close = () => new Promise(() => {})
  const { world, exits } = fakeWorld({ open: async () => fake.runtime })
  void dispatch(['run', 'hi'], '1', world)
  await sleep(5)
  world.signals.emit('SIGTERM')
  await sleep(2200)
  assert.equal(exits, [130])
})

const terminals = [
  { name: 'a pipe', isTTY: false, env: {}, live: false },
  { name: 'a terminal', isTTY: true, env: { TERM: 'xterm' }, live: true },
  { name: 'a terminal without colour', isTTY: true, env: { TERM: 'xterm', NO_COLOR: '1' }, live: true },
  { name: 'a dumb terminal', isTTY: true, env: { TERM: 'dumb' }, live: false },
  { name: 'a terminal of CI', isTTY: true, env: { TERM: 'xterm', CI: 'true' }, live: false },
  { name: 'a terminal with CI=false', isTTY: true, env: { TERM: 'xterm', CI: 'false', NO_COLOR: '1' }, live: true },
]
for (const { name, isTTY, env, live } of terminals) {
  test(`progress on ${name} is ${live ? 'live' : 'plain'}`, async () => {
    const events = [started(), taskStarted(1, 'a', 'x'), taskCompleted(2, 'a'), finished(3)]
    const fake = fakeRuntime(events)
    const { err } = await troupe(['run', 'hi'], {
      open: async () => fake.runtime,
      env,
      stderr: Object.assign(pipe(), { isTTY }),
    })
    assert.is(err, '', 'the other stream stays silent')
    const shown = Object.assign(pipe(), { isTTY, columns: 80, rows: 24 })
    await troupe(['run', 'hi'], { open: async () => fakeRuntime(events).runtime, env, stderr: shown })
    assert.is(shown.text.includes('\u001b['), live)
    assert.is(shown.text.includes('\u001b[2m'), live && !('NO_COLOR' in env))
    assert.is(shown.text.includes('started   x'), !live)
  })
}

for (const argv of [['run', 'hi'], ['run', '--json', 'hi'], ['subagents']]) {
  test(`troupe ${argv.join(' ')} says on stderr what the runtime warns of in the config, once and on one line each`, async () => {
    const open: World['open'] = async ({ log }) => {
      log?.('warn', 'is left out: "ls" is\na built-in tool', { path: 'tools.0.name', code: 'name_taken' })
      log?.('warn', 'names no known agent: "basj"', { path: 'subagents.agents.basj', nearest: 'bash' })
      log?.('warn', 'A stray rejection on an agent thread', { thread: 1 })
      log?.('info', 'The config was edited', { file: '/config.yaml' })
      return Object.assign(fakeRuntime([]).runtime, { subagents: async () => [] })
    }
    const { err } = await troupe(argv, { open })
    assert.equal(
      err.split('\n').filter((line) => /warning|stray|edited/.test(line)),
      [
        'warning: tools.0.name: is left out: "ls" is a built-in tool',
        'warning: subagents.agents.basj: names no known agent: "basj" (did you mean "bash"?)',
      ],
    )
  })
}

test('check needs no runtime to find what is wrong', async () => {
  const { code, out } = await troupe(['check', '--json', '--config', '/nowhere/config.yaml'])
  assert.is(code, 2)
  const { ok, problems } = JSON.parse(out)
  assert.is(ok, false)
  assert.is(problems.length, 1)
  const text = await troupe(['check', '--config', '/nowhere/config.yaml'])
  assert.is(text.code, 2)
  assert.match(text.out, /config\.yaml.*\n1 error\n$/)
})

test('check without tools in the config opens no runtime', async () => {
  assert.equal(await troupe(['check'], { env: { OPENAI_API_KEY: 'x' } }), {
    code: 0,
    out: 'The config is in order.\n',
    err: '',
    exits: [],
  })
})

test('the prompt may come from standard input', async () => {
  const fake = fakeRuntime([finished(1)])
  await troupe(['run', '-'], { open: async () => fake.runtime, stdin: Readable.from(['one\n', 'two']) })
  assert.is(fake.done[0], 'run: one\ntwo {}')
})

test('the folder is mounted to read, without home and secrets', async () => {
  const cases = [
    { env: {}, home: '/project/.troupe', hidden: ['.env*', '.troupe'] },
    { env: { TROUPE_HOME: '/elsewhere' }, home: '/elsewhere', hidden: ['.env*'] },
    { env: { TROUPE_HOME: 'state/troupe' }, home: '/project/state/troupe', hidden: ['.env*', 'state/troupe'] },
    { env: { TROUPE_HOME: '..troupe' }, home: '/project/..troupe', hidden: ['.env*', '..troupe'] },
  ]
  for (const { env, home, hidden } of cases) {
    let given: unknown
    let mounts: readonly Mount[] | undefined
    const open: World['open'] = async (options, internals) => {
      given = options.home
      mounts = internals.extraMounts
      return fakeRuntime([finished(1)]).runtime
    }
    await troupe(['run', 'hi'], { env, open })
    assert.is(given, home)
    assert.equal(mounts, [{ host: '/project', path: '/mnt/project', writable: false, hidden }])
  }
})

test.run()
