import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { COMMANDS, dispatch } from '../../src/cli/dispatch.ts'
import { fakeWorld } from './fake-world.ts'

const scriptFor = async (...words: readonly string[]) => {
  const { world, stdout, stderr } = fakeWorld()
  const code = await dispatch(['completion', ...words], '1', world)
  return { code, out: stdout.text, err: stderr.text }
}

let folder = ''
test.before(() => {
  folder = mkdtempSync(join(tmpdir(), 'troupe-completion-'))
  for (const name of ['review', 'x1', '$(touch pwned)'])
    mkdirSync(join(folder, '.troupe/threads', name), { recursive: true })
  for (const name of ['a b.yaml', 'app.yaml', 'other.txt']) writeFileSync(join(folder, name), '')
})
test.after(() => rmSync(folder, { recursive: true, force: true }))

/** What bash would offer for these words, the last of which is being written. */
const offered = async (words: readonly string[], env: Readonly<Record<string, string>> = {}): Promise<string[]> => {
  const ask = `COMP_WORDS=("$@"); COMP_CWORD=$(($# - 1)); _troupe; printf '%s\\n' "\${COMPREPLY[@]}"`
  const script = `${(await scriptFor('bash')).out}\n${ask}`
  const out = execFileSync('bash', ['--norc', '-c', script, 'bash', 'troupe', ...words], {
    cwd: folder,
    env: { PATH: process.env['PATH'], ...env },
    encoding: 'utf8',
  })
  return out.split('\n').filter(Boolean).sort()
}

const names = COMMANDS.map(({ name }) => name)

const lines: readonly { words: readonly string[]; env?: Record<string, string>; offers: readonly string[] }[] = [
  { words: [''], offers: [...names, 'help', '--help', '--version'] },
  { words: ['su'], offers: ['subagents'] },
  { words: ['run', '--m'], offers: ['--model', '--max-concurrent', '--max-total'] },
  { words: ['run', '--json', '--no'], offers: ['--no-subagents'] },
  { words: ['run', '--config', 'a'], offers: ['a b.yaml', 'app.yaml'] },
  { words: ['run', '--config', '=', 'ap'], offers: ['app.yaml'] },
  { words: ['run', '--config', '='], offers: ['a b.yaml', 'app.yaml', 'other.txt', '.troupe'] },
  { words: ['run', '--thread', ''], offers: ['review', 'x1'] },
  { words: ['run', '--thread', ''], env: { TROUPE_HOME: '/nowhere' }, offers: [] },
  { words: ['run', '--model', ''], offers: [] },
  { words: ['threads', ''], offers: ['review', 'x1'] },
  { words: ['threads', '--json', 're'], offers: ['review'] },
  { words: ['run', 'what'], offers: [] },
  { words: ['check', '--'], offers: ['--config', '--json', '--help'] },
  { words: ['completion', ''], offers: ['bash', 'zsh', 'fish'] },
  { words: ['help', ''], offers: names },
  { words: ['nonsense', '-'], offers: [] },
]
for (const { words, env, offers } of lines) {
  test(`bash: troupe ${words.join(' ')}`, async () => {
    assert.equal(await offered(words, env), [...offers].sort())
    assert.not.ok(readdirSync(folder).includes('pwned'), 'a name of a folder was run')
  })
}

for (const shell of ['bash', 'zsh', 'fish']) {
  test(`${shell} can read its script, which knows every command and flag`, async () => {
    const { out, code } = await scriptFor(shell)
    assert.is(code, 0)
    for (const { name, flags } of COMMANDS) for (const word of [name, ...Object.keys(flags)]) assert.match(out, word)
    const file = join(folder, shell)
    writeFileSync(file, out)
    const { error, status, stderr } = spawnSync(shell, ['-n', file], { encoding: 'utf8' })
    rmSync(file)
    // Not every machine has every shell.
    if (!error) assert.is(status, 0, stderr)
  })
}

const mistakes = [
  { words: [], says: 'Which shell? troupe completion bash|zsh|fish' },
  { words: ['bahs'], says: 'Did you mean bash?' },
  { words: ['powershell'], says: 'Known are bash, zsh, fish.' },
]
for (const { words, says } of mistakes) {
  test(`misuse: troupe completion ${words.join(' ')}`, async () => {
    const { code, out, err } = await scriptFor(...words)
    assert.is(code, 2)
    assert.is(out, '')
    assert.ok(err.includes(says), err)
  })
}

test.run()
