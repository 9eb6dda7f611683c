import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { commandEnvironment, commandMark, markVariable, runtimeMark } from '../../src/policy/command-environment.ts'

const HOST = {
  ...{ PATH: '/bin', HOME: '/root', LANG: 'de_DE.UTF-8', LC_ALL: 'C', TZ: 'UTC', HTTPS_PROXY: 'http://p', USER: 'u' },
  ...{ OPENAI_API_KEY: 'sk', SSH_AUTH_SOCK: '/tmp/x', NODE_OPTIONS: '-x', BASH_ENV: '/x', ENV: '/x', LD_PRELOAD: '/x' },
  ...{ PYTHONPATH: '/x', GIT_DIR: '/x', TERM: 'xterm', EDITOR: 'vi', GONE: undefined, 'BASH_FUNC_ls%%': '() { x; }' },
}

test('commands are handed on what is harmless, and nothing else', () => {
  const env = commandEnvironment(HOST, {})
  for (const name of ['PATH', 'HOME', 'LANG', 'LC_ALL', 'TZ', 'HTTPS_PROXY', 'USER'] as const)
    assert.is(env[name], HOST[name])
  const quiet = ['TERM', 'NO_COLOR', 'PAGER', 'GIT_PAGER', 'EDITOR', 'VISUAL', 'GIT_EDITOR', 'GIT_TERMINAL_PROMPT']
  const others = ['PIP_NO_INPUT', 'DEBIAN_FRONTEND', 'PYTHONUNBUFFERED']
  assert.equal(
    Object.keys(env).sort(),
    ['PATH', 'HOME', 'LANG', 'LC_ALL', 'TZ', 'HTTPS_PROXY', 'USER', ...quiet, ...others].sort(),
  )
  assert.equal([env['TERM'], env['EDITOR']], ['dumb', 'true'])
})

test('what was granted wins over all', () => {
  const env = commandEnvironment(HOST, { TERM: 'xterm', PATH: '/opt/bin', SSH_AUTH_SOCK: '/agent' })
  assert.equal([env['TERM'], env['PATH'], env['SSH_AUTH_SOCK']], ['xterm', '/opt/bin', '/agent'])
})

test('the mark of an agent begins with that of its runtime and is no beginning of another', () => {
  const [own, other] = [runtimeMark('id'), runtimeMark('id2')]
  const first = commandMark(own, { slot: 1, generation: 1 })
  const twelfth = commandMark(own, { slot: 1, generation: 12 })
  assert.ok(first.startsWith(own) && twelfth.startsWith(own) && !first.startsWith(other))
  assert.not.ok(twelfth.startsWith(first))
  assert.equal(markVariable(first), { TROUPE_OWNER: 'id.1.1.' })
  assert.is(Object.entries(markVariable(first)).map(([name, value]) => `${name}=${value}`)[0], first)
})

test.run()
