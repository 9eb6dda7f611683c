import { spawn } from 'node:child_process'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { startScriptedModel } from '../../src/testing/scripted-model.ts'
import { call, callTools, say } from '../../src/testing/scripted-reply.ts'
import { FakeTerminal } from '../cli/fake-terminal.ts'
import { built } from '../support/built.ts'

// The built command line on a real pseudoterminal, lent by script(1) as util-linux has it.
const test = suite('on a terminal', { folder: '' })

test.before.each(async (context) => {
  context.folder = await mkdtemp(join(tmpdir(), 'troupe-terminal-'))
})
test.after.each(({ folder }) => rm(folder, { recursive: true, force: true }))

// As a pattern would have it, where the character itself is hard to read.
const ESC = '\\u001b'

/** A control sequence whose end is still to come. */
const CUT = new RegExp(`${ESC}(\\[[?\\d;]*)?$`)

const SIZE = 'stty cols 70 rows 20'

/** Types `troupe run hi` on a terminal of its own; what it draws goes to a terminal that knows only what Troupe uses. */
const runOn = async (folder: string, url: string) => {
  const script = join(folder, 'run.sh')
  await writeFile(script, `${SIZE}\n'${process.execPath}' '${fileURLToPath(built('cli.js'))}' run hi\n`)
  const { CI: _, NO_COLOR: __, ...env } = process.env
  const child = spawn('script', ['-qefc', `sh ${script}`, '/dev/null'], {
    cwd: folder,
    env: { ...env, TERM: 'xterm', LANG: 'C.UTF-8', OPENAI_API_KEY: 'k', OPENAI_BASE_URL: url },
    stdio: ['pipe', 'pipe', 'ignore'],
  })
  const terminal = new FakeTerminal(70, 20)
  let held = ''
  child.stdout.setEncoding('utf8').on('data', (text: string) => {
    const whole = (held + text).replace(CUT, '')
    held = (held + text).slice(whole.length)
    terminal.write(whole)
  })
  const ended = new Promise<number | null>((resolve) => child.on('close', resolve))
  return { terminal, ended, type: (keys: string) => void child.stdin.write(keys) }
}

const until = async (what: string, terminal: FakeTerminal, check: (text: string) => boolean) => {
  for (const end = Date.now() + 10_000; Date.now() < end; await sleep(20)) if (check(terminal.text.join('\n'))) return
  throw new Error(`waited in vain for ${what}:\n${terminal.text.join('\n')}`)
}

const withModel = async (waits: boolean, use: (url: string) => Promise<void>) => {
  const model = await startScriptedModel({
    reply: ({ body, index }) => {
      if (index === 0) return callTools(call('task', { description: 'Look around', prompt: 'Look.' }))
      if (waits) return { stallAfterChunks: 0 }
      return say(JSON.stringify(body?.messages).includes('Look around') ? '# Found\n\n- **a** thing' : 'It is here.')
    },
  })
  try {
    await use(model.url)
  } finally {
    await model.close()
  }
}

const TIME = /\d+(\.\d+)?s\b/g

const onLinux = process.platform === 'linux' ? test : test.skip

onLinux('the tree stays, then the answer stands rendered', ({ folder }) =>
  withModel(false, async (url) => {
    const { terminal, ended } = await runOn(folder, url)
    assert.is(await ended, 0)
    const lines = terminal.text.map((line) => line.replace(TIME, 'TIME').replace(/thread [\w-]+/, 'thread ID'))
    assert.equal(lines, [
      '✓ lead  default  turn 2/200  220 tok  TIME',
      '└ ✓  Look around  general-purpose  turn 1/150  110 tok  TIME',
      'completed · 2 turns · 1 subagent · 330 tokens · thread',
      lines[3],
      '',
      'Found',
      '',
      '• a thing',
    ])
    assert.ok(terminal.raw.includes('\u001b[1;4mFound\u001b[0m'))
    assert.ok(terminal.cursorShown && terminal.wraps)
  }),
)

onLinux('Ctrl-C cancels, and gives the terminal back as it was', ({ folder }) =>
  withModel(true, async (url) => {
    const { terminal, ended, type } = await runOn(folder, url)
    await until('the subagent', terminal, (text) => text.includes('└ ') && text.includes('thinking'))
    assert.not.ok(terminal.cursorShown)
    type('\u0003')
    assert.is(await ended, 130)
    assert.match(terminal.text.join('\n'), /^⊘ lead .*\n└ ⊘ {2}Look around .*\ncancelled · 1 turn · 1 subagent/m)
    assert.ok(terminal.cursorShown && terminal.wraps)
  }),
)

test.run()
