import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { callableBy } from '../../src/catalog/access.ts'
import type { Leader } from '../../src/catalog/leader.ts'
import { catalogOf } from './support.ts'

const agent = { description: 'd', system_prompt: 'p' }
const CONFIG = {
  sandbox: { allow_host_bash: true },
  subagents: { custom_agents: { poet: agent, taken: agent } },
  agents: { reviewer: agent, clerk: agent, taken: agent },
}
const ALL = 'general-purpose bash poet taken reviewer clerk'

type Row = readonly [rule: string, leader: Pick<Leader, 'name' | 'access'>, names: string]

const rows: readonly Row[] = [
  ['the default lead sees all', { name: null, access: 'all' }, ALL],
  ['an agent does not see itself', { name: 'clerk', access: 'all' }, 'general-purpose bash poet taken reviewer'],
  ['not even when its list names it', { name: 'clerk', access: ['clerk', 'poet'] }, 'poet'],
  ['but another agent of its name, which has the name', { name: 'taken', access: ['taken'] }, 'taken'],
  ['none is none', { name: 'clerk', access: 'none' }, ''],
  ['an empty list is none', { name: 'clerk', access: [] }, ''],
  ['the order is that of the catalog', { name: 'clerk', access: ['reviewer', 'bash'] }, 'bash reviewer'],
  ['a name that nobody has adds nothing', { name: 'clerk', access: ['ghost', 'poet'] }, 'poet'],
  ['an agent called lead is not the default lead', { name: 'lead', access: 'all' }, ALL],
]

for (const [rule, leader, names] of rows) {
  test(rule, async () => {
    const { subagents, unavailable } = callableBy(leader, await catalogOf(CONFIG), ['bash', 'ls'])
    assert.is(subagents.map(({ name }) => name).join(' '), names)
    assert.equal(unavailable, [])
  })
}

const missing: readonly [
  rule: string,
  sandbox: object,
  access: Leader['access'],
  tools: string[],
  unavailable: RegExp,
][] = [
  ['CAT-015: bash keeps its own words where no command may run', {}, 'all', ['ls'], /^bash Bash subagent is disabled/],
  ['but where it is hidden it is not known of', {}, ['poet'], ['ls'], /^$/],
  [
    'a lead without the tool bash has no use for the subagent',
    { allow_host_bash: true },
    'all',
    ['ls'],
    /^bash .*tool bash/,
  ],
]

for (const [rule, sandbox, access, tools, says] of missing) {
  test(rule, async () => {
    const catalog = await catalogOf({ ...CONFIG, sandbox })
    const { subagents, unavailable } = callableBy({ name: 'clerk', access }, catalog, tools)
    assert.ok(subagents.every(({ name }) => name !== 'bash'))
    assert.match(unavailable.map(({ name, reason }) => `${name} ${reason}`).join(), says)
  })
}

test.run()
