import { PassThrough } from 'node:stream'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { childEnvironment } from '../../src/runtime/tool-processes/environment.ts'
import { keepTail } from '../../src/runtime/tool-processes/tail.ts'
import { systemClock } from '../../src/runtime/tool-processes/timer.ts'
import { parametersOf } from '../../src/tool-process/json-schema.ts'
import { told } from '../../src/tool-process/told.ts'

test('a tail holds the last 4096 bytes, whatever the chunks', () => {
  for (const size of [1000, 4096, 10_000]) {
    const stream = new PassThrough()
    const tail = keepTail(stream)
    for (let i = 0; i < 5; i++) stream.write(String(i).repeat(size))
    stream.read(0)
    assert.is(
      tail.text(),
      [0, 1, 2, 3, 4]
        .map((i) => String(i).repeat(size))
        .join('')
        .slice(-4096),
    )
    tail.take()
    assert.is(tail.text(), '')
  }
})

test('a pattern is seen across chunks and after it has left the tail, until the tail is taken', () => {
  const stream = new PassThrough()
  const tail = keepTail(stream, /out of memory/)
  stream.write('heap out of')
  assert.is(tail.matched(), false)
  stream.write(' memory')
  stream.write('x'.repeat(9000))
  assert.is(tail.matched(), true)
  tail.take()
  assert.is(tail.matched(), false)
})

test('a wait longer than a timer can hold does not fire early', async () => {
  let fired = false
  const callOff = systemClock.after(2 ** 31 + 5, () => {
    fired = true
  })
  await new Promise((resolve) => setTimeout(resolve, 20))
  callOff()
  assert.is(fired, false)
})

test('the environment of a child leaves out what is meant for the host', () => {
  const given = { PATH: '/bin', NODE_OPTIONS: '--x', NODE_CHANNEL_FD: '3', NONE: undefined }
  assert.equal(childEnvironment(given), { PATH: '/bin' })
})

const schemas: readonly { readonly name: string; readonly schema: unknown; readonly parameters: object }[] = [
  { name: 'none', schema: undefined, parameters: { type: 'object', properties: {} } },
  { name: 'an object', schema: { type: 'object', properties: {} }, parameters: { type: 'object', properties: {} } },
  { name: 'one that leaves its type out', schema: { properties: {} }, parameters: { type: 'object', properties: {} } },
  {
    name: 'one that names its dialect',
    schema: { $schema: 'https://json-schema.org/draft/2020-12/schema', type: 'object' },
    parameters: { type: 'object' },
  },
]
for (const { name, schema, parameters } of schemas) {
  test(`parameters of a tool whose schema is ${name}`, async () => {
    assert.equal(await parametersOf(schema), parameters)
  })
}

const circle: Record<string, unknown> = {}
circle['self'] = circle
for (const schema of [{ type: 'string' }, circle, { description: 'x'.repeat(300_000) }]) {
  test('a schema that a model cannot be given is refused', async () => {
    const reason = await parametersOf(schema).then(
      () => '',
      (thrown: unknown) => told(thrown),
    )
    assert.match(reason, /schema|circular/)
  })
}

const hostile = {
  toString: () => {
    throw new Error('no')
  },
}
const thrown: readonly { readonly value: unknown; readonly says: string }[] = [
  { value: new Error('plain'), says: 'plain' },
  { value: new RangeError('far'), says: 'RangeError: far' },
  { value: null, says: 'threw null' },
  { value: 'text', says: 'threw text' },
  { value: hostile, says: 'threw something that cannot be shown' },
]
for (const { value, says } of thrown) test(`told: ${says}`, () => assert.is(told(value), says))

test.run()
