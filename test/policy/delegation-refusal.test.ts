import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { BASH_SUBAGENT_DISABLED } from '../../src/policy/bash-gate.ts'
import { refusalOfType, typeNamed } from '../../src/policy/delegation-refusal.ts'

const policy = { types: ['alpha', 'beta'], unavailable: [{ name: 'bash', reason: BASH_SUBAGENT_DISABLED }] }
const unknown = (type: string): string => `Unknown subagent type '${type}'. Available: alpha, beta`

const rows: readonly [rule: string, type: string, refusal: string | null][] = [
  ['what is there may start', 'beta', null],
  ['task-01: what is not is named, with what is', 'gamma', unknown('gamma')],
  ['the spelling counts', 'Alpha', unknown('Alpha')],
  ['a name of every object is unknown too', 'constructor', unknown('constructor')],
  [
    'task-02, CAT-015: bash that is off says why, and is not listed',
    'bash',
    'Bash subagent is disabled for LocalSandboxProvider because host bash execution is not a secure sandbox boundary. Switch to AioSandboxProvider for isolated bash access, or set sandbox.allow_host_bash: true only in a fully trusted local environment.',
  ],
]

for (const [rule, type, refusal] of rows) test(rule, () => assert.is(refusalOfType(type, policy), refusal))

const named: readonly [rule: string, type: string, name: string][] = [
  ['a name is itself', 'a<b>', 'a<b>'],
  ['a name is known in the form in which the prompt shows it', 'a&lt;b&gt;', 'a<b>'],
  ['a name that looks like the shown form of another is itself', 'c&amp;d', 'c&amp;d'],
  ['what is unknown stays what it is', 'e', 'e'],
]

for (const [rule, type, name] of named) {
  test(rule, () => assert.is(typeNamed(type, { types: ['a<b>', 'c&d', 'c&amp;d'] }), name))
}

test.run()
