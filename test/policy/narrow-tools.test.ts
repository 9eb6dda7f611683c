import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { narrowTools } from '../../src/policy/narrow-tools.ts'

const PARENT = ['bash', 'ls', 'task', 'web_search']

type Row = readonly [rule: string, tools: readonly string[] | null, denied: readonly string[], names: string]

const rows: readonly Row[] = [
  ['null inherits, but never task', null, [], 'bash ls web_search'],
  ['CAT-032: what is denied goes', null, ['bash'], 'ls web_search'],
  ['CAT-033: an empty list allows nothing', [], [], ''],
  [
    'CAT-034: deny beats allow, and a tool that the parent lacks stays lacking',
    ['ls', 'bash', 'ghost'],
    ['bash'],
    'ls',
  ],
  ['task is not to be had by allowing it', ['task', 'ls'], [], 'ls'],
  ['the order is the parent’s', ['web_search', 'bash'], [], 'bash web_search'],
]

for (const [rule, tools, disallowedTools, names] of rows) {
  test(rule, () => assert.is(narrowTools(PARENT, { tools, disallowedTools }).join(' '), names))
}

test.run()
