import { readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { bash } from '../../src/tools/bash.ts'
import { HOST_WORK, tempView } from '../sandbox/temp-view.ts'
import { atBench, fakeOwner, living, wait } from './command-support.ts'

const W = '/mnt/user-data/workspace'

const said: readonly (readonly [command: string, says: string | RegExp])[] = [
  ['echo hello', 'hello'],
  ['true', '(no output)'],
  // Source: CAT-071.
  ['printf out; printf err >&2; exit 3', 'out\nStd Error:\nerr\nExit Code: 3'],
  ['echo out; echo err >&2', 'out\nStd Error:\nerr'],
  ['echo err >&2', 'err'],
  ['exit 5', 'Exit Code: 5'],
  ['echo a; kill -9 $$', 'a\nKilled by signal SIGKILL\nExit Code: 137'],
  ['nosuchprogram', 'bash: line 1: nosuchprogram: command not found\nExit Code: 127'],
  ['if then', /^bash: -c: line \d: syntax error .*\n.*\nExit Code: 2$/],
  ['--help', 'bash: line 1: --help: command not found\nExit Code: 127'],
  ['cat; read x; echo "got=$x"', 'got='],
  ['tty; test -t 0 || echo none; (echo x > /dev/tty) 2>/dev/null || echo no terminal', 'not a tty\nnone\nno terminal'],
  ['echo one\necho two', 'one\ntwo'],
  ['cat <<E\n  indented\nE', '  indented'],
  ["printf 'ok \\377\\376 end\\n'", 'ok \ufffd\ufffd end'],
  ['for b in 303 251 360 237 246 214; do printf "\\\\$b"; sleep 0.02; done; echo', 'é🦌'],
  ["printf 'a\\000b\\n'", 'a␀b'],
  ["printf '\\033[31mred\\033[0m\\r\\n'; printf '1%%\\r2%%\\n'", 'red\n2%'],
  ['head -c 100000 /dev/urandom', '(binary data, 100000 bytes: not shown)'],
  ['pwd; echo $PWD; cd ..; pwd; cd ../../..; pwd', `${W}\n${W}\n/mnt/user-data\n[home]`],
  [
    `echo x > ${W}/a.txt; cat ${W}/a.txt; cat none`,
    'x\nStd Error:\ncat: none: No such file or directory\nExit Code: 1',
  ],
  ['cat /mnt/user-data/uploads/none', 'cat: /mnt/user-data/uploads/none: No such file or directory\nExit Code: 1'],
  ['ls /mnt/user-data', 'outputs\nuploads\nworkspace'],
  ['cat /mnt/docs/guide.md; ls -d /mnt/project', 'hello guide\n/mnt/project'],
  ['echo ../uploads; ls -d ../uploads', '../uploads\n../uploads'],
  ['seq 1 30000 | tail -1', '30000'],
  ['yes | head -2', 'y\ny'],
  ['exec 1>&-; echo x; echo err >&2', 'bash: line 1: echo: write error: Bad file descriptor\nerr'],
  ['exec >&- 2>&-; exit 4', 'Exit Code: 4'],
  ['set -e; false; echo no', 'Exit Code: 1'],
  ['set -e; exit', '(no output)'],
  ['exec echo instead', 'instead'],
  ['rm -rf ../workspace; pwd', W],
  ["printf '\\033]0;title\\007a\\033]8;;http://x\\033\\\\link\\033]8;;\\033\\\\b\\n'", 'alinkb'],
  ["printf '\\033[2J\\033[Hmoved\\033[1A\\033[K up\\n'", 'moved up'],
  [`cat <<E\nin "${W}" and '${W}/x'\nE`, `in "${W}" and '${W}/x'`],
  // Opens what it has by name, as scripts do.
  ['echo a > /dev/stderr; echo b > /dev/stdout; echo c | tee /dev/stderr', 'b\nc\nStd Error:\na\nc'],
]

for (const [command, says] of said) {
  test(
    JSON.stringify(command),
    atBench(async ({ run, temp }) => {
      const { status, content } = await run(command)
      assert.is(status, 'success')
      if (typeof says === 'string') assert.is(content, says)
      else assert.match(content, says)
      assert.not.match(content, temp.base)
    }),
  )
}

// No filter looks at the text of a command, so CAT-068, CAT-069 and CAT-081 have no rows: what such a filter is meant to
// stop gets past it in other words (`rm -r -f /`, `$HOME`, a base64 of it), and what it does stop is daily work, as here.
// Whether commands run is one option, and what they may reach is up to the machine they run on.
const unfiltered: readonly (readonly [command: string, says: string])[] = [
  ["printf 'a\nfoo\nb\n' | sed -n '/foo/p'", 'foo'],
  ["printf 'ok\nerr 1\n' | awk '/err/'", 'err 1'],
  ['cd /tmp && pwd', '/tmp'],
  ['printf abc > a; dd if=a of=b status=none; cat b', 'abc'],
  ['echo su; echo mkfs.ext4', 'su\nmkfs.ext4'],
  ['v=$(printf 1.2); eval "echo $v"', '1.2'],
  ['cd ../outputs && cat ../workspace/none 2>/dev/null || echo none', 'none'],
  ['echo aGk= | base64 -d | cat', 'hi'],
]

for (const [command, says] of unfiltered) {
  test(
    `${command} runs as it is`,
    atBench(async ({ run }) => assert.is((await run(command)).content, says)),
  )
}

const refused: readonly (readonly [command: string, says: RegExp])[] = [
  ['', /^Error: empty command$/],
  [' \n\t', /^Error: empty command$/],
  // Source: CAT-082, in our own words.
  ['a'.repeat(10_001), /^Error: command too long \(10001 characters, at most 10000\)/],
  ['echo a\0b', /^Error: null byte detected/],
]

for (const [command, says] of refused) {
  test(
    `${JSON.stringify(command.slice(0, 12))} is not run`,
    atBench(async ({ run, owner }) => {
      const { status, content } = await run(command)
      assert.is(status, 'error')
      assert.match(content, says)
      assert.is(owner.pids.length, 0)
    }),
  )
}

// Source: CAT-067, in our own words.
test('where commands are not allowed, the refusal names the option', async () => {
  const temp = await tempView()
  const { status, content } = await bash({ command: 'echo hi' }, temp.context)
  assert.is(status, 'error')
  assert.match(content, /^Error: Host bash execution is disabled .* sandbox\.allow_host_bash: true/)
  await temp.remove()
})

test(
  'each call is a new shell in the workspace',
  atBench(async ({ run }) => {
    assert.is((await run('mkdir -p suba && cd suba && pwd; export LEAK=1')).content, `${W}/suba`)
    assert.is((await run('pwd; echo leak=$LEAK')).content, `${W}\nleak=`)
  }),
)

test(
  'a command past its time is ended with all it started, and what it printed is kept',
  atBench(async ({ run, owner }) => {
    const start = performance.now()
    const late = await run('echo before; sleep 30 & sleep 31', { timeoutMs: 1000 })
    assert.is(late.status, 'success')
    assert.match(
      late.content,
      /^before\nCommand timed out after 1 second and was terminated\. .*your-command > server\.log 2>&1 &\nExit Code: 124$/,
    )
    assert.ok(performance.now() - start < 3000)
    assert.equal(owner.said, ['own', 'stop', 'led'])
    assert.is(living(owner.pids[0]), 0)
    // Source: CAT-072.
    assert.match(
      (await run('sleep 30', { timeoutMs: 1000 })).content,
      /^Command timed out after 1 second and was terminated\./,
    )
    assert.match((await run('sleep 30', { timeoutMs: 500 })).content, /^Command timed out after 0\.5 seconds and was/)
  }),
)

for (const command of [
  'sleep 60 & echo done',
  '(sleep 60 &) ; echo done',
  'nohup sleep 60 >/dev/null 2>&1 & echo done',
  'yes & sleep 0.2; echo done >&2',
]) {
  test(
    `${command}: what runs in the background holds no call`,
    atBench(async ({ run, owner }) => {
      const start = performance.now()
      const { content } = await run(command)
      assert.match(content, /done$/)
      assert.ok(performance.now() - start < 2000)
      assert.equal(owner.said, ['own', 'led'])
      assert.ok(living(owner.pids[0]) > 0)
    }),
  )
}

test(
  'what runs in the background can write after the call, into a file and to nobody',
  atBench(async ({ run, temp }) => {
    await run('(for i in 1 2 3 4 5 6; do echo $i; echo $i >> log; sleep 0.1; done) & echo started')
    await wait(1200)
    assert.is(await readFile(join(temp.base, HOST_WORK, 'log'), 'utf8'), '1\n2\n3\n4\n5\n6\n')
  }),
)

test(
  'an abort ends the command',
  atBench(async ({ run, owner }) => {
    const controller = new AbortController()
    const running = run('sleep 30', {}, controller.signal)
    await wait(300)
    controller.abort()
    await running
    assert.equal(owner.said, ['own', 'stop', 'led'])
    assert.is(living(owner.pids[0]), 0)
    assert.is((await run('echo x', {}, controller.signal)).content, 'Error: Stopped before it was done')
  }),
)

test(
  'a command that nobody watches never starts',
  atBench(async ({ run, temp }) => {
    const owner = fakeOwner(false)
    const running = run('echo ran > ran.txt', { owner })
    await wait(300)
    assert.is(living(owner.pids[0]), 1)
    owner.end()
    assert.match((await running).content, /^Error: The command was not run/)
    assert.not.ok(await readFile(join(temp.base, HOST_WORK, 'ran.txt')).catch(() => null))
  }),
)

test(
  'a workspace that was replaced by a link is not used',
  atBench(async ({ run, temp }) => {
    await run('cd ..; rmdir workspace')
    await symlink(temp.base, join(temp.base, HOST_WORK))
    assert.is((await run('ls')).content, 'Error: The folder was replaced by a link')
  }),
)

test(
  'the environment is what was given, no more',
  atBench(async ({ run }) => {
    const { content } = await run('env | cut -d= -f1 | sort', { env: { PATH: process.env['PATH'] ?? '', GIVEN: 'x' } })
    assert.equal(
      content.split('\n').filter((name) => !['SHLVL', '_', 'OLDPWD'].includes(name)),
      ['GIVEN', 'PATH', 'PWD'],
    )
  }),
)

const OUT = '/mnt/user-data/outputs'

test(
  'files written under outputs are told, and only those',
  atBench(async ({ run, temp }) => {
    const first = await run(
      `mkdir -p ../outputs/a && echo 1 > ../outputs/a/one.txt; echo 2 > ${OUT}/two.md; echo 3 > three`,
    )
    assert.equal([...(first.files ?? [])].sort(), [`${OUT}/a/one.txt`, `${OUT}/two.md`])
    assert.is((await run(`cat ${OUT}/two.md; touch three`)).files, undefined)
    assert.equal((await run(`echo more >> ${OUT}/two.md; exit 1`)).files, [`${OUT}/two.md`])
    assert.equal((await run(`mv ${OUT}/two.md ${OUT}/moved.md`)).files, [`${OUT}/moved.md`])
    await symlink(join(temp.base, 'docs'), join(temp.base, HOST_WORK, '../outputs/docs'))
    assert.is(
      (await run(`mkdir -p ${OUT}/.tool-results; echo x > ${OUT}/.tool-results/x; echo y > ${OUT}/docs/y`)).files,
      undefined,
    )
    assert.equal((await run(`echo late > ${OUT}/late.txt; sleep 9`, { timeoutMs: 500 })).files, [`${OUT}/late.txt`])
  }),
)

test(
  'of a folder with very many files it is not told what changed',
  atBench(async ({ run }) => {
    await run(`cd ${OUT} && seq 1 2500 | xargs touch`)
    assert.is((await run(`echo x > ${OUT}/x`)).files, undefined)
  }),
)

test(
  'two hundred commands leave no descriptor',
  atBench(async ({ run, owner }) => {
    await run('true')
    const count = async (): Promise<number> => (await import('node:fs')).readdirSync('/dev/fd').length
    const before = await count()
    for (let round = 0; round < 4; round++) {
      const all = await Promise.all(Array.from({ length: 50 }, (_, i) => run(`echo ${i}`)))
      assert.equal(
        all.map(({ content }) => content),
        all.map((_, i) => String(i)),
      )
    }
    await wait(100)
    assert.ok((await count()) <= before + 2, `${before} descriptors before, ${await count()} after`)
    assert.is(living(owner.pids.at(-1)), 0)
  }),
)

test.run()
