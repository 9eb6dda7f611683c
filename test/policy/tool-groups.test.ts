import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { toolsOfGroups } from '../../src/policy/tool-groups.ts'

const TOOLS = [
  { name: 'task', group: null },
  { name: 'ls', group: 'file' },
  { name: 'bash', group: 'bash' },
  { name: 'find_record', group: 'web' },
  { name: 'loose', group: null },
  { name: 'of_the_host', group: 'host' },
  { name: 'ask_clarification', group: null },
]

const rows: readonly [rule: string, groups: readonly string[] | null, names: string][] = [
  ['null is all, and task is no affair of groups', null, 'ls bash find_record loose of_the_host ask_clarification'],
  ['a list filters built-in tools too', ['web'], 'find_record ask_clarification'],
  ['and tools of the host', ['host', 'bash'], 'bash of_the_host ask_clarification'],
  ['no group is no tool, but what reaches nothing', [], 'ask_clarification'],
  ['a tool without a group is in none', ['file', 'null', ''], 'ls ask_clarification'],
  ['a group that nobody has adds nothing', ['ghost'], 'ask_clarification'],
]

for (const [rule, groups, names] of rows) {
  test(rule, () => assert.is(toolsOfGroups(TOOLS, groups).join(' '), names))
}

test.run()
