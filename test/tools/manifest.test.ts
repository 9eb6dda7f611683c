import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { isolatedEffects } from '../../src/tools/isolated-effects.ts'
import { BASH_TOOL, FILE_TOOLS } from '../../src/tools/manifest.ts'
import { TASK_TOOL } from '../../src/tools/task-tool.ts'
import { ASK_CLARIFICATION, PRESENT_FILES } from '../../src/tools/user-tools.ts'
import { workerEffects } from '../../src/tools/worker-effects.ts'

/** Those that do something themselves. */
const EFFECTIVE = [...FILE_TOOLS, BASH_TOOL, PRESENT_FILES]

const parameters: readonly [tool: string, required: readonly string[], optional: readonly string[]][] = [
  ['ls', ['path'], []],
  ['read_file', ['path'], ['start_line', 'end_line']],
  ['write_file', ['path', 'content'], ['append']],
  ['glob', ['pattern'], ['path']],
  ['grep', ['pattern'], ['path', 'glob', 'literal', 'case_sensitive']],
  ['bash', ['command'], []],
  ['present_files', ['paths'], []],
  ['ask_clarification', ['question'], ['options']],
  ['task', ['prompt'], ['description', 'subagent_type', 'context', 'max_turns']],
]

for (const [name, required, optional] of parameters) {
  test(`${name} takes what the public surface says`, () => {
    const tool = [...EFFECTIVE, TASK_TOOL, ASK_CLARIFICATION].find((spec) => spec.name === name)
    const schema = tool?.parameters as {
      properties: Record<string, { type: string; description: string }>
      required: string[]
    }
    assert.equal(schema.required, required)
    assert.equal(Object.keys(schema.properties), [...required, ...optional])
    assert.ok(Object.values(schema.properties).every(({ description }) => description.length > 10))
  })
}

test('each tool has its effect where the manifest places it', () => {
  const placed = (placement: string) => EFFECTIVE.filter((spec) => spec.placement === placement).map(({ name }) => name)
  assert.equal(placed('worker'), [...workerEffects.keys()])
  assert.equal(placed('isolated'), [...isolatedEffects.keys()])
  assert.ok(FILE_TOOLS.every((spec) => spec.group === 'file' && spec.module === null && (spec.timeoutMs ?? 0) > 0))
})

test.run()
