import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { BASH_SUBAGENT_DISABLED, BASH_TOOL_DISABLED, hostBashAllowed } from '../../src/policy/bash-gate.ts'

const rows = [
  [{ use: 'local', allow_host_bash: false }, false],
  [{ use: 'local', allow_host_bash: true }, true],
  // Neither is built: what would run, would run on the host.
  [{ use: 'bubblewrap', allow_host_bash: false }, false],
  [{ use: './box.mjs#box', allow_host_bash: false }, false],
] as const

for (const [sandbox, allowed] of rows) {
  test(`${JSON.stringify(sandbox)} ${allowed ? 'allows' : 'forbids'} commands`, () =>
    assert.is(hostBashAllowed(sandbox), allowed))
}

test('the refusals name the option', () => {
  for (const text of [BASH_SUBAGENT_DISABLED, BASH_TOOL_DISABLED]) assert.match(text, 'sandbox.allow_host_bash: true')
})

test.run()
