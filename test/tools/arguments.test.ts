import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { ToolSpec } from '../../src/contract/tools.ts'
import { checkArguments } from '../../src/tools/arguments.ts'
import { FILE_TOOLS } from '../../src/tools/manifest.ts'
import { TASK_TOOL } from '../../src/tools/task-tool.ts'

const spec = (name: string): ToolSpec => [...FILE_TOOLS, TASK_TOOL].find((tool) => tool.name === name) as ToolSpec

const accepted: readonly { name: string; tool: string; args: unknown; becomes: unknown }[] = [
  {
    name: 'as they should be',
    tool: 'read_file',
    args: { path: 'a', start_line: 2 },
    becomes: { path: 'a', start_line: 2 },
  },
  {
    name: 'a number as text',
    tool: 'read_file',
    args: { path: 'a', start_line: '12' },
    becomes: { path: 'a', start_line: 12 },
  },
  {
    name: 'a whole number with a dot',
    tool: 'read_file',
    args: { path: 'a', end_line: '3.0' },
    becomes: { path: 'a', end_line: 3 },
  },
  {
    name: 'null for what was left out',
    tool: 'read_file',
    args: { path: 'a', end_line: null },
    becomes: { path: 'a' },
  },
  {
    name: 'a boolean as text',
    tool: 'write_file',
    args: { path: 'a', content: '', append: 'true' },
    becomes: { path: 'a', content: '', append: true },
  },
  {
    name: 'the other boolean',
    tool: 'grep',
    args: { pattern: 'x', literal: 'false' },
    becomes: { pattern: 'x', literal: false },
  },
  {
    name: 'text that looks like JSON stays text',
    tool: 'write_file',
    args: { path: 'a', content: '[1,2]' },
    becomes: { path: 'a', content: '[1,2]' },
  },
  {
    name: 'unknown keys',
    tool: 'ls',
    args: { path: 'a', description: 'look' },
    becomes: { path: 'a', description: 'look' },
  },
]

for (const { name, tool, args, becomes } of accepted) {
  test(`accepted: ${name}`, () => assert.equal(checkArguments(spec(tool), args), { ok: true, args: becomes }))
}

const refused: readonly { name: string; tool: string; args: unknown; needs: string }[] = [
  { name: 'nothing', tool: 'read_file', args: {}, needs: '"path" (string)' },
  { name: 'null', tool: 'read_file', args: { path: null }, needs: '"path" (string)' },
  { name: 'two missing', tool: 'write_file', args: {}, needs: '"path" (string) and "content" (string)' },
  {
    name: 'an object for a text',
    tool: 'write_file',
    args: { path: 'a', content: { a: 1 } },
    needs: '"content" (string)',
  },
  { name: 'a number for a text', tool: 'read_file', args: { path: 1 }, needs: '"path" (string)' },
  {
    name: 'words for a number',
    tool: 'read_file',
    args: { path: 'a', start_line: 'ten' },
    needs: '"start_line" (integer)',
  },
  {
    name: 'an empty text for a number',
    tool: 'read_file',
    args: { path: 'a', start_line: ' ' },
    needs: '"start_line" (integer)',
  },
  { name: 'half a line', tool: 'read_file', args: { path: 'a', start_line: 1.5 }, needs: '"start_line" (integer)' },
  {
    name: 'a number without end',
    tool: 'read_file',
    args: { path: 'a', start_line: '1e999' },
    needs: '"start_line" (integer)',
  },
  { name: 'yes', tool: 'grep', args: { pattern: 'x', literal: 'yes' }, needs: '"literal" (boolean)' },
  { name: 'what is only inherited', tool: 'ls', args: Object.create({ path: 'a' }), needs: '"path" (string)' },
  { name: 'a list', tool: 'ls', args: ['a'], needs: 'its arguments as an object' },
  { name: 'a text', tool: 'ls', args: 'a', needs: 'its arguments as an object' },
  { name: 'null for all', tool: 'ls', args: null, needs: 'its arguments as an object' },
]

for (const { name, tool, args, needs } of refused) {
  test(`refused: ${name}`, () => {
    assert.equal(checkArguments(spec(tool), args), { ok: false, message: `Tool '${tool}' needs ${needs}` })
  })
}

const strange = (properties: unknown, required: unknown) => ({
  name: 'x',
  parameters: { properties, required } as ToolSpec['parameters'],
})

test('lists of texts are checked, what a schema says beyond plain types is left to the tool', () => {
  const paths = strange({ paths: { type: 'array', items: { type: 'string' } } }, ['paths'])
  assert.is(checkArguments(paths, { paths: ['a'] }).ok, true)
  assert.equal(checkArguments(paths, { paths: ['a', 1] }), {
    ok: false,
    message: `Tool 'x' needs "paths" (array of strings)`,
  })
  const either = strange({ a: { anyOf: [{ type: 'string' }, { type: 'null' }] }, b: { type: ['string', 'null'] } }, [
    'a',
  ])
  assert.equal(checkArguments(either, { a: null, b: 3 }), { ok: true, args: { a: null, b: 3 } })
  assert.equal(checkArguments(either, {}), { ok: false, message: `Tool 'x' needs "a" (see its schema)` })
  for (const schema of [strange(undefined, undefined), strange(null, 'all'), strange({ a: null }, [])]) {
    assert.equal(checkArguments(schema, { a: 1 }), { ok: true, args: { a: 1 } })
  }
})

test('a key that is a trap stays plain data', () => {
  const checked = checkArguments(spec('ls'), JSON.parse('{"path":"a","__proto__":{"polluted":true}}'))
  assert.is(checked.ok, true)
  assert.is(({} as { polluted?: boolean }).polluted, undefined)
})

test.run()
