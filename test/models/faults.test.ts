import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { connectionFault, errorInAnswer, errorTextInAnswer, httpFault } from '../../src/models/failure.ts'

const http = (status: number, body: object | string = {}, headers: Readonly<Record<string, string>> = {}) =>
  httpFault(status, typeof body === 'string' ? body : JSON.stringify(body), (name) => headers[name], 0)

test('what may pass is sent again, what will not is not', () => {
  const passing = [408, 409, 425, 429, 500, 502, 503, 504, 520, 529]
  const lasting = [301, 400, 401, 402, 403, 404, 405, 413, 422, 501, 599]
  assert.equal(
    [...passing, ...lasting].filter((status) => http(status).retryable),
    passing,
  )
})

const quotas: readonly object[] = [
  { error: { message: 'You exceeded your current quota, please check your plan', code: 'insufficient_quota' } },
  { error: { message: 'quota exceeded', type: 'insufficient_quota', code: 429 } },
  { error: { message: 'Your credit balance is too low to access the API' } },
  { error: { message: 'Insufficient Balance' } },
]
for (const body of quotas)
  test(`a quota does not come back by waiting: ${JSON.stringify(body)}`, () => {
    assert.is(http(429, body).retryable, false)
    assert.is(errorInAnswer(body).retryable, false)
  })

test('a quota that names a time to wait is a rate limit', () =>
  assert.is(http(429, { error: { message: 'x', code: 'quota_exceeded' } }, { 'retry-after': '3' }).retryable, true))

test('a provider that says whether to send again is believed, except where sending again is no use', () => {
  const told = (status: number, word: string) => http(status, {}, { 'x-should-retry': word }).retryable
  assert.equal(
    [told(500, 'false'), told(599, 'true'), told(400, 'true'), told(401, 'true')],
    [false, true, false, false],
  )
})

test('how long to wait is read from a refusal', () => {
  assert.is(http(503, {}, { 'retry-after': '4' }).retryAfterMs, 4000)
  assert.is(http(503).retryAfterMs, null)
})

const inside: readonly (readonly [unknown, boolean, number | null])[] = [
  ['Internal network failure', true, null],
  [{ message: 'worker gone', code: 502 }, true, 502],
  [{ message: 'worker gone', code: '502' }, true, 502],
  [{ message: 'slow down', type: 'rate_limit_error' }, true, 429],
  [{ message: 'x', status: 'RESOURCE_EXHAUSTED' }, true, 429],
  [{ error: { type: 'overloaded_error', message: 'Overloaded' } }, true, 503],
  [{ message: 'x', type: 'server_error' }, true, 500],
  [{ message: 'x', type: 'invalid_request_error' }, false, 400],
  [{ message: 'x', code: 'context_length_exceeded' }, false, 400],
  [{ message: 'x', type: 'authentication_error' }, false, 401],
  [{ message: 'x', code: 'model_not_found' }, false, 404],
  [{ message: 'x', type: 'mystery' }, true, null],
]
for (const [error, retryable, status] of inside)
  test(`an error inside an answer counts as its status: ${JSON.stringify(error)}`, () => {
    const fault = errorInAnswer(error)
    assert.equal([fault.retryable, fault.status], [retryable, status])
    assert.equal(errorTextInAnswer(JSON.stringify(error)), fault)
  })

const connections: readonly (readonly [string, boolean])[] = [
  ['ECONNREFUSED', true],
  ['ECONNRESET', true],
  ['ETIMEDOUT', true],
  ['EAI_AGAIN', true],
  ['ENOTFOUND', false],
  ['EPROTO', false],
  ['HPE_INVALID_CONSTANT', false],
  ['CERT_HAS_EXPIRED', false],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', false],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', false],
  ['ERR_INVALID_CHAR', false],
  ['EMYSTERY', true],
]
for (const [code, retryable] of connections)
  test(`${code} ${retryable ? 'may pass' : 'will not pass'}`, () => {
    const fault = connectionFault(Object.assign(new Error('x'), { code }), 'host:443')
    assert.is(fault.retryable, retryable)
    assert.match(fault.words, 'host:443')
  })

test.run()
