import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { providerKey } from '../../src/models/provider-key.ts'
import { requestBody } from '../../src/models/request-body.ts'
import { requestTo, settings } from './ask.ts'
import { type Attempt, answers, messageOf, playAttempts, refused } from './scripted-attempts.ts'

const MINUTE = 60_000
const gaps = (sent: readonly { readonly at: number }[]): number[] =>
  sent.slice(1).map(({ at }, i) => at - (sent[i]?.at ?? 0))

interface Row {
  readonly name: string
  readonly script: readonly Attempt[]
  readonly requests: number
  /** Part of what comes of it. */
  readonly ends: string
  readonly maxRetries?: number
}

const rows: readonly Row[] = [
  { name: 'an answer at once', script: [answers('yes')], requests: 1, ends: 'yes' },
  { name: 'what passes is sent again', script: [refused(500), answers('yes')], requests: 2, ends: 'yes' },
  {
    name: 'as often as max_retries says and no more',
    script: [refused(500), refused(503), refused(500), answers('late')],
    requests: 3,
    ends: 'HTTP 500 (tried 3 times)',
  },
  { name: 'not at all with max_retries 0', script: [refused(500)], maxRetries: 0, requests: 1, ends: 'HTTP 500' },
  { name: 'what lasts is not sent again', script: [refused(401, { retryable: false })], requests: 1, ends: 'HTTP 401' },
  {
    name: "the provider's own trouble inside an answer is sent again",
    script: [{ text: 'Hal', finishReason: 'error' }, answers('yes')],
    requests: 2,
    ends: 'yes',
  },
  { name: 'a block is not sent again', script: [{ finishReason: 'content_filter' }], requests: 1, ends: '' },
  { name: 'an empty answer is an answer here', script: [answers('')], requests: 1, ends: '' },
]

for (const { name, script, requests, ends, maxRetries = 2 } of rows)
  test(name, () => {
    const { call, clock, sent } = playAttempts(script)
    const made = call({ model: { maxRetries } })
    clock.advance(MINUTE)
    assert.is(sent.length, requests)
    assert.is(messageOf(made), ends)
    assert.is(made.retries.length, requests - 1)
  })

test('waits grow, and differ from call to call', () => {
  const waits = [0, 0.5, 0.99].map((random) => {
    const { call, clock, sent } = playAttempts([refused(500), refused(500), answers('yes')], random)
    call()
    clock.advance(MINUTE)
    return gaps(sent).map(Math.round)
  })
  assert.equal(waits, [
    [500, 500],
    [1000, 1750],
    [1490, 4430],
  ])
})

test('a retry says what failed, which one it is and when it comes', () => {
  const { call, clock } = playAttempts([refused(429, { message: 'slow down', retryAfterMs: 2000 }), answers('yes')])
  const made = call()
  clock.advance(MINUTE)
  assert.equal(made.retries, ['slow down; retry 1 of 2 in 2 s'])
})

test('a provider that names a time gets it, and a little more', () => {
  const { call, clock, sent } = playAttempts([refused(503, { retryAfterMs: 2000 }), answers('yes')])
  call()
  clock.advance(MINUTE)
  const [waited = 0] = gaps(sent)
  assert.ok(waited >= 2000 && waited <= 3000, `${waited}`)
})

for (const [name, retryAfterMs, deadlineMs, words] of [
  ['more than a minute', 86_400_000, MINUTE * 60, 'it asks to wait 86400 s, and no call waits longer than 60 s'],
  ['more than the agent has left', 30_000, 20_000, "a wait of 30 s would go past the agent's deadline"],
] as const)
  test(`a provider that asks for ${name} fails that call at once and pauses nobody`, () => {
    const { call, clock, sent } = playAttempts([refused(429, { retryAfterMs }), answers('yes')])
    const first = call({ deadlineAt: clock.now() + deadlineMs })
    clock.advance(10)
    assert.is(messageOf(first), `HTTP 429; ${words}`)
    const second = call()
    clock.advance(10)
    assert.is(messageOf(second), 'yes')
    assert.is(sent.length, 2)
  })

test('one refusal for haste pauses all who use that key, and nobody else', () => {
  const { call, clock, sent } = playAttempts([refused(429, { retryAfterMs: 2000 }), answers('b'), answers('a')])
  call()
  clock.advance(100)
  const sameKey = call({ model: { name: 'same', model: 'other-model' } })
  const otherKey = call({ model: { name: 'other', apiKey: 'sk-another-key' } })
  clock.advance(1800)
  assert.is(messageOf(otherKey), 'b')
  assert.is(messageOf(sameKey), 'nothing yet')
  clock.advance(2000)
  assert.ok(sameKey.outcome !== null)
  assert.equal(
    sent.map(({ model }) => model),
    ['main', 'other', ...sent.slice(2).map(({ model }) => model)],
  )
  assert.ok((sent[2]?.at ?? 0) - (sent[0]?.at ?? 0) >= 2000)
})

test('a failure that concerns one request pauses nobody', () => {
  const { call, clock } = playAttempts([refused(500), answers('b')])
  call()
  clock.advance(10)
  const other = call()
  clock.advance(10)
  assert.is(messageOf(other), 'b')
})

test('those who wait for one key come back at moments of their own', () => {
  const count = 20
  const { call, clock, sent } = playAttempts([
    ...Array.from({ length: count }, () => refused(429, { retryAfterMs: 1000 })),
    ...Array.from({ length: count }, () => answers('yes')),
  ])
  for (let i = 0; i < count; i++) call()
  clock.advance(MINUTE)
  const back = sent
    .slice(count)
    .map(({ at }) => at)
    .sort((a, b) => a - b)
  assert.is(back.length, count)
  for (const gap of gaps(back.map((at) => ({ at })))) assert.ok(gap >= 5, `${gap} ms apart`)
})

test('three at once come back at least 100 ms apart, whatever chance says', () => {
  for (const random of [0, 0.5, 0.999]) {
    const { call, clock, sent } = playAttempts([refused(429), refused(429), refused(429)], random)
    for (let i = 0; i < 3; i++) call()
    clock.advance(MINUTE)
    const back = sent.slice(3).map(({ at }) => at)
    assert.ok(Math.max(...back) - Math.min(...back) >= 100, `${back}`)
  }
})

test('a call that others keep from sending goes ahead after a minute', () => {
  const { call, clock, control, sent } = playAttempts([answers('yes')])
  const key = providerKey(settings('http://127.0.0.1:1'))
  control.pause(key, clock.now(), 30_000)
  const made = call()
  for (let s = 0; s < 200; s++) {
    control.pause(key, clock.now(), 30_000)
    clock.advance(1000)
  }
  assert.is(messageOf(made), 'yes')
  const waited = (sent[0]?.at ?? 0) - 1_800_000_000_000
  assert.ok(waited >= MINUTE && waited <= 95_000, `${waited}`)
})

test('a pause that outlasts the agent fails the call at once', () => {
  const { call, clock, control, sent } = playAttempts([])
  control.pause(providerKey(settings('http://127.0.0.1:1')), clock.now(), 30_000)
  const made = call({ deadlineAt: clock.now() + 5000 })
  assert.is(made.outcome, null, 'not before the caller holds the abort')
  clock.advance(0)
  assert.match(messageOf(made), "the provider is paused for 30 s after a refusal, which is past the agent's deadline")
  assert.is(sent.length, 0)
})

for (const [name, script, at] of [
  ['during a request', ['hangs'], 10],
  ['during the wait for a retry', [refused(500), answers('no')], 10],
  ['during a pause', [refused(429, { retryAfterMs: 5000 }), answers('no')], 1000],
] as const)
  test(`an abort ${name} ends it: nothing more is sent or heard`, () => {
    const played = playAttempts(script)
    const made = played.call()
    played.clock.advance(at)
    made.abort()
    played.clock.advance(MINUTE)
    assert.is(made.outcome, null)
    assert.is(played.sent.length, 1)
  })

test('an agent that was asked to stop sends nothing after a wait', () => {
  let stopped = false
  const { call, clock, sent } = playAttempts([refused(500), answers('no')])
  const made = call({ mayStart: () => !stopped, fallbacks: [{ name: 'second' }] })
  clock.advance(10)
  stopped = true
  clock.advance(MINUTE)
  assert.is(sent.length, 1)
  assert.is(made.outcome, null)
})

interface FallbackRow {
  readonly name: string
  readonly script: readonly Attempt[]
  readonly sent: string
  readonly ends: string
}

const lastingly = (status: number) => refused(status, { retryable: false })
const fallbacks: readonly FallbackRow[] = [
  {
    name: 'the next model after the last retry',
    script: [refused(500), refused(500), refused(500), answers('yes')],
    sent: 'main main main second',
    ends: 'yes',
  },
  {
    name: 'the next model at once for what lasts',
    script: [lastingly(401), answers('yes')],
    sent: 'main second',
    ends: 'yes',
  },
  {
    name: 'each in turn, each with retries of its own; all are named at the end',
    script: [lastingly(404), refused(500), refused(500), refused(500), lastingly(403)],
    sent: 'main second second second third',
    ends: 'HTTP 404; HTTP 500 (tried 3 times); HTTP 403',
  },
  { name: 'not for what the request is to blame for', script: [lastingly(400)], sent: 'main', ends: 'HTTP 400' },
  {
    name: 'not for a variable that is not set',
    script: [{ ...lastingly(0), code: 'ENV_UNSET', message: 'unset' }],
    sent: 'main',
    ends: 'unset',
  },
  {
    name: 'past a fallback whose variable is not set',
    script: [lastingly(401), { ...lastingly(0), code: 'ENV_UNSET', message: 'unset' }, answers('yes')],
    sent: 'main second third',
    ends: 'yes',
  },
  {
    name: 'at once where the provider asks for too long a wait',
    script: [refused(429, { retryAfterMs: 86_400_000 }), answers('yes')],
    sent: 'main second',
    ends: 'yes',
  },
]
for (const { name, script, sent, ends } of fallbacks)
  test(`fallbacks: ${name}`, () => {
    const played = playAttempts(script)
    const made = played.call({ fallbacks: [{ name: 'second' }, { name: 'third' }] })
    played.clock.advance(MINUTE)
    assert.is(played.sent.map(({ model }) => model).join(' '), sent)
    assert.is(messageOf(made), ends)
  })

test('a request that was refused for the reasoning in it goes again without', () => {
  const reasoning = { field: 'reasoning_content', text: 'hm' } as const
  const toolCalls = [{ id: 'a', name: 'read', args: {} }]
  const messages = [
    { role: 'user', content: 'Hi' },
    { role: 'assistant', id: 'm1', content: '', toolCalls, reasoning },
    { role: 'tool', id: 'm2', toolCallId: 'a', name: 'read', content: 'x', status: 'success' },
  ] as const
  const refusal = { ...lastingly(400), message: 'Unsupported field reasoning_content' }
  const played = playAttempts([refusal, answers('yes'), refusal])
  const made = played.call({ request: { messages } })
  played.clock.advance(10)
  assert.is(messageOf(made), 'yes')
  const [first, second] = played.sent.map(({ request }) => request)
  assert.is(first?.model, second?.model)
  assert.not.match(requestBody(second ?? requestTo(settings(''))).text, 'reasoning_content')
})

test('whatever the transcript holds, what is sent is valid, also to a fallback', () => {
  const toolCalls = [{ id: 'a', name: 'read', args: {} }]
  const messages = [{ role: 'assistant', id: 'm1', content: '', toolCalls }] as const
  const played = playAttempts([lastingly(404), answers('yes')])
  played.call({ request: { messages }, fallbacks: [{ name: 'second' }] })
  played.clock.advance(10)
  assert.is(played.sent.length, 2)
  for (const { request } of played.sent)
    assert.equal(
      request.messages.map(({ role }) => role),
      ['assistant', 'tool'],
    )
})

test.run()
