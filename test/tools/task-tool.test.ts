import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { TASK_TOOL, taskToolFor } from '../../src/tools/task-tool.ts'

const both = ['general-purpose', 'poet']
const at = (maxConcurrent: number, types: readonly string[] = both) =>
  taskToolFor({ maxConcurrent, maxTotal: 6, types })

const taught: readonly [what: string, says: RegExp][] = [
  ['the subagent sees the prompt alone', /sees nothing of this conversation, only your prompt/],
  ['the goal', /- the goal/],
  ['paths', /absolute paths/],
  ['constraints', /must not touch/],
  ['the form of the answer', /the form of the answer/],
  ['that what depends waits', /needs the result of another waits for your next response/],
  ['what to do with a failure', /partial result.*another prompt or a smaller piece/],
]

for (const maxConcurrent of [1, 3]) {
  test(`at limit ${maxConcurrent} task teaches how to delegate`, () => {
    for (const [what, says] of taught) assert.match(at(maxConcurrent).description, says, what)
  })
}

test('independent pieces go into one response, where there is room for more than one', () => {
  assert.match(at(2).description, /Independent pieces go into one response/)
  assert.not.match(at(1).description, /one response/)
})

const properties = ({ parameters }: typeof TASK_TOOL) =>
  parameters['properties'] as Record<string, { readonly description: string }>

test('turns are put into proportion', () => {
  assert.match(properties(TASK_TOOL)['max_turns']?.description ?? '', /5 .*20 .*50 .*only lower/)
})

test('a default is shown only to a lead that can call it; the others must name a type', () => {
  assert.match(properties(at(3))['subagent_type']?.description ?? '', /Left out: general-purpose/)
  assert.equal(at(3).parameters['required'], ['prompt'])
  for (const tool of [at(3, ['poet']), at(1, ['poet'])]) {
    assert.not.match(JSON.stringify(tool), /general-purpose/)
    assert.equal(tool.parameters['required'], ['prompt', 'subagent_type'])
  }
})

test('leads of one kind share one tool, so that its JSON is written once', () => {
  assert.is(at(3), at(7))
  assert.is(at(1, ['poet']), at(1, ['bash']))
})

test.run()
