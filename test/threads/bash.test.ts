import {
  closeSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Run, Runtime } from '../../src/contract/api.ts'
import { createRuntime } from '../../src/index.ts'
import { startScriptedModel } from '../../src/testing/scripted-model.ts'
import { call, callTools, say } from '../../src/testing/scripted-reply.ts'
import { bash, SETSID, sleeping, task } from '../support/commands.ts'
import { assertLawful, collect } from '../support/runtime-events.ts'
import {
  closeScene,
  modelAt,
  openScene,
  type Scene,
  type SceneOptions,
  scene,
  until,
  within,
} from '../support/runtime-scene.ts'
import { cast, inTurns, type Part } from '../support/runtime-script.ts'

const descriptors = (): number => readdirSync('/dev/fd').length

const HOST_BASH = { sandbox: { allow_host_bash: true } }
const MANY = { maxConcurrentSubagents: 50, maxTotalSubagents: 50 }

/** One agent that runs commands, one a turn, and then tells all their results. */
const commands = (...all: readonly string[]): Part => {
  const results: string[] = []
  return ({ turn, results: last }) => {
    results.push(...last)
    return turn < all.length ? callTools(bash(all[turn] ?? '')) : say(JSON.stringify(results))
  }
}

/** An answer given once a process left behind sleeps: the command that started it may well end before. */
const onceItSleeps = (seconds: number) => async () => {
  await until(5000, 'the process sleeps', () => sleeping(seconds) === 1)
  return say('1')
}

const textsOf = async (runtime: Runtime): Promise<readonly string[]> =>
  JSON.parse((await runtime.run('lead').result).text)

const withBash = (options: SceneOptions, play: (open: Scene) => Promise<void>) =>
  scene({ ms: 40_000, ...options, config: { ...HOST_BASH, ...options.config } }, play)

/** Processes that have this in their environment, where the machine shows it: also those that have left their group. */
const carrying = (text: string): readonly string[] =>
  process.platform !== 'linux'
    ? []
    : readdirSync('/proc').filter((pid) => {
        try {
          return /^\d+$/.test(pid) && readFileSync(`/proc/${pid}/environ`, 'latin1').includes(text)
        } catch {
          return false
        }
      })

/** What 100 agents are at when they are cancelled. Each ends in the `sleep` by which it is known to be there. */
const BUSY = [
  'sleep 3011 & echo x; sleep 3012',
  'yes | cat > /dev/null & sleep 3012 | cat',
  "trap '' TERM; sleep 3011 & sleep 3012; sleep 3013",
  `${SETSID} sh -c 'sleep 3014 & sleep 3014' & (nohup sleep 3015 > /dev/null 2>&1 &); sleep 3012`,
  'while :; do echo line; done & sleep 3012 2>&1 | tee out.txt',
  'cat <(sleep 3016) & exec 9> held; bash -c \'trap "" HUP INT TERM; sleep 3012\'',
]

test(
  '100 agents that run commands, cancelled together, leave no process, no pipe and no descriptor',
  withBash(
    {
      ms: 120_000,
      env: { ...process.env, PROOF: `hundred-${process.pid}-agents` },
      config: { runtime: { threads: 2 }, sandbox: { allow_host_bash: true, env: { PROOF: '$PROOF' } } },
      parts: {
        warm: inTurns(callTools(bash('true')), say('warm')),
        lead: inTurns(callTools(...Array.from({ length: 50 }, (_, i) => task(`sub ${i}`, `t${i}`))), say('done')),
        sub: ({ prompt }) => callTools(bash(BUSY[Number(prompt.split(' ')[1]) % BUSY.length] ?? '')),
      },
    },
    async ({ runtime, model }) => {
      const mark = `PROOF=hundred-${process.pid}-agents`
      await runtime.run('warm').result
      await until(5000, 'the first sockets close', () => model.inFlight() === 0)
      const before = descriptors()
      const runs = [runtime.run('lead', MANY), runtime.run('lead', MANY)]
      const logs = runs.map(collect)
      // A third of them never rest, so on a busy machine the last are long in coming.
      await until(90_000, 'all commands run', () => sleeping(3012) >= 100)
      if (process.platform === 'linux') assert.ok(carrying(mark).length > 200)
      for (const run of runs) run.cancel()
      const results = await within(4000, 'all settle', Promise.all(runs.map(({ result }) => result)))
      assert.ok(results.every(({ delegations }) => delegations.every(({ status }) => status === 'cancelled')))
      for (const log of logs) assertLawful(await log)
      await until(4000, 'the processes are gone', () => sleeping(301) === 0 && carrying(mark).length === 0)
      await until(5000, `descriptors are back to ${before}`, () => descriptors() <= before)
      assert.equal(runtime.stats().commands, { running: 0, waiting: 0 })
      assert.is((await runtime.run('warm').result).status, 'completed')
    },
  ),
)

test(
  'a background process lives as long as its agent',
  withBash(
    {
      parts: {
        lead: inTurns(callTools(bash('sleep 3021 & echo x')), callTools(task('sub', 't1')), async () => {
          await until(3000, "the subagent's process is gone", () => sleeping(3022) === 0)
          return say(`${sleeping(3021)}`)
        }),
        sub: inTurns(callTools(bash('nohup sleep 3022 >/dev/null 2>&1 & echo x')), onceItSleeps(3022)),
      },
    },
    async ({ runtime }) => {
      const { text, delegations } = await runtime.run('lead').result
      assert.is(delegations[0]?.result, '1', 'it ran while its agent did')
      assert.is(text, '1', "the lead's own runs on")
      await until(2000, 'with the lead its process goes', () => sleeping(3021) === 0)
    },
  ),
)

test(
  'a process that has left its group goes with its agent too, where the machine shows environments',
  withBash(
    {
      parts: {
        lead: inTurns(callTools(task('sub', 't1'), bash('setsid sleep 3025 >/dev/null 2>&1 & echo x')), async () => {
          await until(3000, "the subagent's process is gone", () => sleeping(3026) === 0)
          return say(`${sleeping(3025)}`)
        }),
        sub: inTurns(callTools(bash('setsid -f sleep 3026 >/dev/null 2>&1')), onceItSleeps(3026)),
      },
    },
    async ({ runtime }) => {
      if (process.platform !== 'linux') return
      const { text, delegations } = await runtime.run('lead').result
      assert.is(delegations[0]?.result, '1')
      assert.is(text, '1', "the lead's own runs on")
      await until(2000, 'with the lead its process goes', () => sleeping(3025) === 0)
    },
  ),
)

test(
  'the deadline of an agent ends its commands',
  withBash(
    {
      config: { subagents: { timeout_seconds: 1 } },
      parts: {
        lead: inTurns(callTools(task('sub', 't1')), say('done')),
        sub: inTurns(callTools(bash('for i in 1 2 3 4 5; do sleep 3031 & done; wait'))),
      },
    },
    async ({ runtime }) => {
      const { delegations } = await runtime.run('lead').result
      assert.is(delegations[0]?.status, 'timed_out')
      await until(2000, 'the processes are gone', () => sleeping(3031) === 0)
    },
  ),
)

test(
  'a command that does not heed a request to end is killed',
  withBash(
    {
      parts: {
        lead: inTurns(callTools(bash("trap '' TERM; sleep 3041; sleep 3042")), say('never')),
      },
    },
    async ({ runtime }) => {
      const run = runtime.run('lead')
      await until(5000, 'it runs', () => sleeping(3041) > 0)
      run.cancel()
      await run.result
      await until(2500, 'it is gone', () => sleeping(304) === 0)
    },
  ),
)

test(
  'a command that tidies up when asked to end has the time for it',
  withBash(
    {
      parts: {
        lead: inTurns(
          callTools(bash("trap 'sleep 0.1; echo tidy > tidy.txt; exit' TERM; sleep 3051 & wait")),
          say('never'),
        ),
      },
    },
    async ({ runtime, home }) => {
      const run = runtime.run('lead', { threadId: 'tidy' })
      await until(5000, 'it runs', () => sleeping(3051) > 0)
      run.cancel()
      await run.result
      const file = join(home, 'threads/tidy/user-data/workspace/tidy.txt')
      await until(2000, 'it has tidied up', () => existsSync(file))
    },
  ),
)

test(
  'with a thread that is lost its commands go, also those of agents that had no part in it',
  withBash(
    {
      config: {
        runtime: { threads: 1, wedged_ms: 1000 },
        tools: [{ name: 'wedge', use: './test/threads/fixtures/wedge.mjs#wedge', placement: 'worker' }],
      },
      parts: {
        lead: inTurns(callTools(bash('sleep 3061 & sleep 3062')), say('never')),
        blocker: ({ prompt }) => callTools(call('wedge', { file: prompt.split(' ')[1] })),
        after: inTurns(callTools(bash('echo after')), ({ results }) => say(results.join())),
      },
    },
    async ({ runtime, home }) => {
      const run = runtime.run('lead')
      await until(5000, 'the command runs', () => sleeping(3062) > 0)
      const blocker = runtime.run(`blocker ${join(home, 'begun')}`)
      await until(5000, 'the thread is blocked', () => existsSync(join(home, 'begun')))
      assert.is((await within(8000, 'the run', run.result)).error?.code, 'THREAD_LOST')
      await blocker.result
      await until(2500, 'the commands are gone', () => sleeping(306) === 0)
      assert.is((await runtime.run('after').result).text, 'after')
    },
  ),
)

test('closing the runtime ends what still runs, and waits for it', async () => {
  const open = await openScene({
    config: HOST_BASH,
    parts: { lead: inTurns(callTools(bash('sleep 3071 & sleep 3072')), say('never')) },
  })
  const before = descriptors()
  const run = open.runtime.run('lead')
  await until(5000, 'it runs', () => sleeping(3072) > 0)
  await closeScene(open)
  assert.is((await run.result).status, 'cancelled')
  assert.is(sleeping(307), 0)
  assert.ok(descriptors() <= before)
})

test(
  'descriptors that commands had are whose they are afterwards, also when their thread ends',
  withBash(
    { parts: { lead: inTurns(callTools(...Array.from({ length: 20 }, () => bash('echo x'))), say('done')) } },
    async ({ runtime }) => {
      const before = descriptors()
      await runtime.run('lead').result
      await until(5000, 'their pipes are closed', () => descriptors() < before + 20)
      const mine = Array.from({ length: 100 }, () => openSync('/dev/null', 'r'))
      await runtime.close()
      for (const descriptor of mine) closeSync(descriptor)
    },
  ),
)

test(
  'where commands are not allowed, bash is not offered, and a call is told the option',
  scene(
    { parts: { lead: inTurns(callTools(bash('echo hi')), ({ results }) => say(results.join())) } },
    async ({ runtime, model }) => {
      const { text } = await runtime.run('lead').result
      assert.match(text, /^Error: Host bash execution is disabled .* sandbox\.allow_host_bash: true/)
      const offered = model.requests[0]?.body?.tools as readonly { function: { name: string } }[]
      assert.not.ok(offered.some((tool) => tool.function.name === 'bash'))
    },
  ),
)

test(
  'of a long output the whole is in a file, and the model sees both ends',
  withBash({ parts: { lead: commands('seq 1 20000; echo problem >&2; exit 3') } }, async (open) => {
    const run = open.runtime.run('lead', { threadId: 'long' })
    const [shown = ''] = JSON.parse((await run.result).text)
    const path = /\/mnt\/user-data\/outputs\/\.tool-results\/bash-[0-9a-f]{12}\.log/.exec(shown)?.[0] ?? ''
    assert.ok(shown.startsWith('1\n2\n3\n'))
    assert.match(shown, /\n20000\nStd Error:\nproblem\nExit Code: 3$/)
    assert.ok(shown.length < 3500)
    const whole = readFileSync(join(open.home, 'threads/long/user-data', path.replace('/mnt/user-data/', '')), 'utf8')
    assert.is(whole, `${Array.from({ length: 20_000 }, (_, i) => i + 1).join('\n')}\nStd Error:\nproblem\nExit Code: 3`)
  }),
)

test(
  'without files for long results an output is cut in the middle',
  withBash(
    { config: { ...HOST_BASH, tool_output: { enabled: false } }, parts: { lead: commands('seq 1 20000; exit 3') } },
    async ({ runtime }) => {
      const [shown = ''] = await textsOf(runtime)
      assert.ok(shown.length <= 20_000 && shown.startsWith('1\n2\n'))
      assert.match(shown, /\[middle truncated: \d+ chars skipped\]/)
      assert.match(shown, /\n20000\nExit Code: 3$/)
    },
  ),
)

test(
  'files that a subagent wrote, by whatever tool, are its artifacts',
  withBash(
    {
      parts: {
        lead: inTurns(callTools(task('sub', 't1')), say('done')),
        sub: inTurns(
          callTools(bash('echo a > ../outputs/a.md; echo b > b.txt; seq 1 9999')),
          callTools(
            bash('mkdir ../outputs/deep; mv b.txt ../outputs/deep/moved.csv; ln -s /etc/passwd ../outputs/passwd.txt'),
          ),
          callTools(call('write_file', { path: '/mnt/user-data/outputs/chart.svg', content: '<svg/>' })),
          callTools(call('str_replace', { path: '/mnt/user-data/outputs/first.py', old_str: '1', new_str: '2' })),
          say('done'),
        ),
      },
    },
    async ({ runtime, home }) => {
      const outputs = join(home, 'threads/files/user-data/outputs')
      mkdirSync(outputs, { recursive: true })
      writeFileSync(join(outputs, 'first.py'), 'print(1)')
      const run = runtime.run('lead', { threadId: 'files' })
      const events = await collect(run)
      const expected = [
        { path: '/mnt/user-data/outputs/a.md', type: 'markdown' },
        { path: '/mnt/user-data/outputs/deep/moved.csv', type: 'data' },
        { path: '/mnt/user-data/outputs/chart.svg', type: 'image' },
        { path: '/mnt/user-data/outputs/first.py', type: 'code' },
      ]
      assert.equal((await run.result).delegations[0]?.artifacts, expected)
      const end = events.find(({ type }) => type === 'task_completed')
      assert.equal(end && 'artifacts' in end && end.artifacts, expected)
    },
  ),
)

const stops: readonly { how: string; status: string; stop(run: Run, taskId: string): void }[] = [
  { how: 'its deadline', status: 'timed_out', stop: () => {} },
  { how: 'a cancel of its task', status: 'cancelled', stop: (run, taskId) => void run.cancelTask(taskId) },
  { how: 'a cancel of its run', status: 'cancelled', stop: (run) => run.cancel() },
]

test(
  'no tool shows what was granted, wherever a command has put it',
  withBash(
    {
      env: { ...process.env, MY_TOKEN: 'tok-123456789' },
      config: { sandbox: { allow_host_bash: true, env: { GH_TOKEN: '$MY_TOKEN' } } },
      parts: {
        lead: inTurns(
          callTools(
            bash(
              'echo "is $GH_TOKEN" | tee s.txt; echo "$GH_TOKEN" >&2; printf tok-1; sleep 0.1; printf "23\\033[1m456789"',
            ),
          ),
          callTools(
            call('read_file', { path: '/mnt/user-data/workspace/s.txt' }),
            call('grep', { pattern: 'tok' }),
            bash('cat s.txt | tr t T'),
          ),
          ({ results }) => say(JSON.stringify(results)),
        ),
      },
    },
    async ({ runtime }) => {
      const run = runtime.run('lead')
      const finished = (await collect(run)).flatMap((event) => (event.type === 'tool_finished' ? [event.content] : []))
      assert.is(finished[0], 'is [redacted]\n[redacted]\nStd Error:\n[redacted]')
      const [read = '', found = '', changed] = JSON.parse((await run.result).text)
      assert.match(read, 'is [redacted]')
      assert.match(found, 's.txt:1: is [redacted]')
      assert.is(changed, 'is Tok-123456789', 'a mask knows the value as it is, and no other form of it')
    },
  ),
)

for (const { how, status, stop } of stops) {
  test(
    `files that a command wrote until ${how} are kept`,
    withBash(
      {
        config: { subagents: { timeout_seconds: status === 'timed_out' ? 2 : 60 } },
        parts: {
          lead: inTurns(callTools(task('sub', 't1')), say('done')),
          sub: inTurns(
            callTools(
              bash('cd ../outputs; mkdir deep; echo 1 > z.csv; echo 2 >> old.md; echo 3 > deep/a.py; sleep 3131'),
            ),
          ),
        },
      },
      async ({ runtime, home }) => {
        const outputs = join(home, 'threads/kept/user-data/outputs')
        mkdirSync(outputs, { recursive: true })
        for (const name of ['old.md', 'untouched.md']) writeFileSync(join(outputs, name), 'old')
        const run = runtime.run('lead', { threadId: 'kept' })
        await until(5000, 'the command has written', () => sleeping(3131) > 0)
        stop(run, 't1')
        const [delegation] = (await within(8000, 'the run', run.result)).delegations
        assert.is(delegation?.status, status)
        const files = ['deep/a.py', 'old.md', 'z.csv'].map((name) => `/mnt/user-data/outputs/${name}`)
        assert.equal([...(delegation?.partial?.files ?? [])].sort(), files)
        assert.equal(delegation?.artifacts.map(({ path }) => path).sort(), files)
      },
    ),
  )
}

test(
  'commands find what is harmless of the environment, what was granted, and no secret',
  withBash(
    {
      env: {
        PATH: process.env['PATH'],
        HOME: '/root',
        MY_TOKEN: 'tok-123456789',
        OTHER: 'x',
        LC_TIME: 'C',
        NODE_OPTIONS: '-x',
      },
      config: {
        sandbox: { allow_host_bash: true, env: { GH_TOKEN: '$MY_TOKEN', MODE: 'production', GONE: '$NOT_SET' } },
      },
      parts: { lead: commands('env', 'echo "is $GH_TOKEN"', 'wc -c <<< $GH_TOKEN') },
    },
    async ({ runtime }) => {
      const [env = '', token, length] = await textsOf(runtime)
      for (const line of ['HOME=/root', 'LC_TIME=C', 'GH_TOKEN=[redacted]', 'MODE=production', 'GIT_TERMINAL_PROMPT=0'])
        assert.ok(env.split('\n').includes(line), line)
      for (const name of ['MY_TOKEN', 'OTHER', 'NODE_OPTIONS', 'GONE']) assert.not.match(env, name)
      assert.equal([token, length], ['is [redacted]', '14'])
    },
  ),
)

test('a home with a blank, a quote and a dollar in its name works, however paths are quoted', async () => {
  const base = mkdtempSync(join(tmpdir(), 'troupe-'))
  const [home, data, links] = [join(base, `it's my $HOME & "co`), join(base, 'my data'), join(base, 'links')]
  for (const folder of [data, links]) mkdirSync(folder)
  const W = '/mnt/user-data/workspace'
  const parts = {
    lead: commands(
      `echo 1 > ${W}/a.txt; cat ${W}/a.txt "${W}/a.txt" '${W}/a.txt'; bash -c "cat ${W}/a.txt"`,
      `find ${W} -name '*.txt' | xargs cat; pwd; cd ..; pwd; realpath ${W}`,
      'echo 2 > /mnt/data/b; find /mnt/data -type f; ls -d /mnt/data; cat /mnt/data/none',
    ),
  }
  const model = await startScriptedModel({ reply: cast(parts) })
  const mounts = [{ host: data, path: '/mnt/data', writable: true }]
  const before = process.env['TMPDIR']
  process.env['TMPDIR'] = links
  try {
    const config = { models: [modelAt(model.url)], sandbox: { allow_host_bash: true, mounts } }
    const runtime = await createRuntime({ config, home })
    const texts = await within(10_000, 'the run', textsOf(runtime))
    assert.is(texts[0], '1\n1\n1\n1')
    assert.is(texts[1], `1\n${W}\n/mnt/user-data\n${W}`)
    assert.match(texts[2] ?? '', /^\/mnt\/data\/b\n\/mnt\/data\nStd Error:\ncat: \/mnt\/data\/none: No such file/)
    assert.is(readFileSync(join(data, 'b'), 'utf8'), '2\n')
    await within(5000, 'close', runtime.close())
    assert.equal(readdirSync(links), [], 'the links are gone')
  } finally {
    if (before === undefined) delete process.env['TMPDIR']
    else process.env['TMPDIR'] = before
    await model.close()
    rmSync(base, { recursive: true, force: true })
  }
})

test.run()
