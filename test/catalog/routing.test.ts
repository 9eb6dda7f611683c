import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { delegationBlock } from '../../src/catalog/delegation-block.ts'
import { taskToolFor } from '../../src/tools/task-tool.ts'
import { callable, catalogOf, find } from './support.ts'

// One policy for all that tells a lead when to delegate. Source: contract/catalog §2.

const textsAt = async (limits: { maxConcurrent: number; maxTotal: number; overflow?: 'queue' | 'trim' }) => {
  const catalog = await catalogOf({ sandbox: { allow_host_bash: true } })
  const { subagents } = callable(catalog)
  const types = subagents.map(({ name }) => name)
  return {
    block: delegationBlock(subagents, limits),
    task: taskToolFor({ ...limits, types }).description,
    general: find(catalog, 'general-purpose').description,
    bash: find(catalog, 'bash').description,
  }
}

type Texts = Awaited<ReturnType<typeof textsAt>>

const policy: readonly [rule: string, where: readonly (keyof Texts)[], says: RegExp][] = [
  ['work directly by default', ['block', 'task'], /Work directly by default\./],
  [
    'the benefit must clearly exceed the cost',
    ['block', 'task', 'general', 'bash'],
    /the benefit clearly exceeds the cost/,
  ],
  [
    'the cost is named',
    ['block', 'task'],
    /The cost is the start, finding things out twice, putting the reports together/,
  ],
  [
    'size and length are no reasons',
    ['block', 'task'],
    /Complexity, the number of steps, verbosity and the size of a repo/,
  ],
  ['nor in the agent that takes anything', ['general'], /complexity or the number of steps alone is no reason/],
  ['routine commands are never enough', ['bash'], /routine git, build, test or deploy command is never enough/],
  ['what is unclear is cleared up first', ['block'], /unclear, clear that up first/],
  ['as few as the work needs', ['block'], /as few subagents as the work needs/],
]

const LIMITS = [
  { maxConcurrent: 3, maxTotal: 6 },
  { maxConcurrent: 1, maxTotal: 6 },
  { maxConcurrent: 1, maxTotal: 6, overflow: 'queue' },
  { maxConcurrent: 3, maxTotal: 6, overflow: 'queue' },
  { maxConcurrent: 64, maxTotal: 1 },
] as const

for (const limits of LIMITS) {
  const at = `at ${JSON.stringify(limits)}`
  const isAlone = Math.min(limits.maxConcurrent, limits.maxTotal) === 1

  test(`${at} every place keeps to one routing policy`, async () => {
    const texts = await textsAt(limits)
    for (const [rule, where, says] of policy) for (const place of where) assert.match(texts[place], says, rule)
  })

  test(`${at} no place speaks of working at once ${isAlone ? '' : 'but of what can'}`, async () => {
    const { block, task, general, bash } = await textsAt(limits)
    const AT_ONCE = /same time|parallel|at once|into one response, as/
    for (const text of [general, bash]) assert.not.match(text, AT_ONCE)
    for (const text of [block, task]) assert.is(AT_ONCE.test(text), !isAlone, text)
  })
}

test.run()
