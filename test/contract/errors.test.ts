import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { messageOf, TroupeError } from '../../src/contract/errors.ts'

const thrown = [
  { name: 'an error gives its message', value: new Error('no such file'), message: 'no such file' },
  { name: 'an error without a message gives its name', value: new TypeError(''), message: 'TypeError' },
  { name: 'an object gives its message', value: { message: 'from elsewhere' }, message: 'from elsewhere' },
  { name: 'null is named', value: null, message: 'threw null' },
  { name: 'undefined is named', value: undefined, message: 'threw undefined' },
  { name: 'a string is named', value: 'stop', message: 'threw stop' },
]

for (const { name, value, message } of thrown) test(name, () => assert.is(messageOf(value), message))

test('a TroupeError carries code, problems and cause', () => {
  const cause = new Error('why')
  const problem = { level: 'error', path: 'models', code: 'missing', message: 'names no model' } as const
  const error = new TroupeError('CONFIG_INVALID', 'bad config', { problems: [problem], cause })
  assert.is(error.code, 'CONFIG_INVALID')
  assert.is(error.name, 'TroupeError')
  assert.is(error.cause, cause)
  assert.equal(error.problems, [problem])
})

test('a TroupeError without a cause has no cause of its own', () => {
  assert.not.ok(Object.hasOwn(new TroupeError('CANCELLED', 'cancelled'), 'cause'))
})

test.run()
