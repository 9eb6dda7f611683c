import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { capNote, wrapUpNote } from '../../src/policy/cap.ts'
import { canRunAny, fruitlessWhy } from '../../src/policy/fruitless.ts'
import { refusesToolHistory, saysTooLong } from '../../src/policy/provider-words.ts'
import { shortfallOf } from '../../src/policy/shortfall.ts'

const TOOLS = [{ name: 'read_file' }, { name: 'ls' }]
const of = (text: string, finishReason = 'stop') => shortfallOf(text, finishReason, TOOLS)

const answers = [
  'Done.',
  'The model may print:\n```xml\n<tool_call>{"name":"read_file"}</tool_call>\n```\nThat is all.',
  'It ends like this:\n```\n<tool_call>{"name":"read_file"}</tool_call>\n```',
  'Write `<tool_call>` around it, then {"name": "read_file"}',
  'A tool call such as\n<tool_call>{"name":"read_file"}</tool_call>\nis what Hermes prints.',
  'For a tool of yours:\n<tool_call>{"name":"weather"}</tool_call>',
  '<p>Some HTML, which is an answer too.</p>',
  '<invoice number="1">read_file</invoice>',
  '{"name": "read_file", "size": 12}',
  '{"name": "someone", "arguments": {}}',
  '{"path": "/mnt/a"}',
  '[1, 2, 3]',
  '{ not JSON }',
  'The function is f(x) = <function body> and a list [a]',
]

for (const text of answers) test(`an answer: ${JSON.stringify(text)}`, () => assert.is(of(text), null))

test('text is an answer whatever the provider calls its end', () => assert.is(of('Done.', 'tool_calls'), null))

const call = '{"name": "read_file", "arguments": {"path": "/a"}}'
const written = [
  `<tool_call>\n${call}\n</tool_call>`,
  `<tool_call>${call}`,
  `  \n<tool_calls>[${call}]</tool_calls>\n`,
  `<think>I should read it.</think>\n<tool_call>${call}</tool_call>`,
  `I will read it now.\n<tool_call>\n${call}\n</tool_call>`,
  '<function_calls>\n<invoke name="read_file">\n<parameter name="path">/a</parameter>\n</invoke>\n</function_calls>',
  '<invoke name="read_file"><parameter name="path">/a</parameter></invoke>',
  '<ns:invoke name="read_file"><parameter name="path">/a</parameter></ns:invoke>',
  '<function=read_file>{"path": "/a"}</function>',
  'Reading.\n<function=read_file>{"path": "/a"}</function>',
  '<｜DSML｜function_calls><｜DSML｜invoke name="read_file"></｜DSML｜invoke></｜DSML｜function_calls>',
  '<｜tool▁calls▁begin｜><｜tool▁call▁begin｜>function<｜tool▁sep｜>read_file\n{"path": "/a"}<｜tool▁call▁end｜><｜tool▁calls▁end｜>',
  '<|tool_calls_section_begin|><|tool_call_begin|>functions.read_file:0<|tool_call_argument_begin|>{}<|tool_call_end|>',
  `<|python_tag|>${call}`,
  `[TOOL_CALLS][${call}]`,
  call,
  `[${call}]`,
  '{"name": "ls", "parameters": {}}',
]

for (const text of written) {
  test(`a call written as text: ${JSON.stringify(text)}`, () => assert.is(of(text)?.type, 'MISCALLED'))
}

test('neither text nor calls is empty, and the error says if calls were announced', () => {
  assert.is(of(' \n')?.type, 'EMPTY')
  assert.equal(of('')?.error.code, 'MODEL_EMPTY')
  assert.match(of('')?.error.message ?? '', /empty answer/)
  assert.match(of('', 'tool_calls')?.error.message ?? '', /announced tool calls but made none/)
})

test('text as long as a model can write is looked at in no time', () => {
  const hostile = [
    '<tool_call '.repeat(400_000),
    `${'<invoke '.repeat(400_000)}>`,
    `${'`'.repeat(1_000_000)}}`,
    `a\n${'\n<'.repeat(900_000)}>`,
  ]
  const start = performance.now()
  for (const text of hostile) of(text)
  assert.ok(performance.now() - start < 2000)
})

test('a call can run if its arguments were read and its tool is there', () => {
  const good = { id: '1', name: 'ls', args: {} }
  const bad = { ...good, invalid: 'no JSON' }
  const unknown = { ...good, name: 'nope' }
  assert.equal(
    [[], [bad], [unknown], [bad, unknown]].map((calls) => canRunAny(calls, TOOLS)),
    [false, false, false, false],
  )
  assert.ok(canRunAny([bad, good], TOOLS))
})

test('five responses in a row that ask for nothing that can run are the end', () => {
  assert.equal(
    [0, 1, 4].map((inARow) => fruitlessWhy(inARow, false)),
    [null, null, null],
  )
  assert.is(fruitlessWhy(5, false), '5 responses in a row asked for nothing that could run.')
})

test('two are the end where a limit took all calls away', () => {
  assert.is(fruitlessWhy(1, true), null)
  assert.is(fruitlessWhy(2, true), '2 responses in a row asked for nothing that could run.')
})

test('a cap is told under its tag, and asks for the answer', () => {
  assert.is(capNote({ reason: 'turn_capped', why: 'Reached max_turns=4' }), '[TURN LIMIT REACHED] Reached max_turns=4.')
  assert.match(wrapUpNote({ reason: 'loop_capped', why: 'Again.' }), /^\[FORCED STOP\] Again\. No tool runs any more/)
  assert.match(wrapUpNote({ reason: 'token_capped', why: 'All used.' }), /^\[TOKEN BUDGET EXCEEDED\] All used\. /)
})

const refusals: readonly (readonly [message: string, refuses: boolean])[] = [
  ['Model "m": HTTP 400 Bad Request: Requests which include `tool_use` blocks must define tools', true],
  ['Model "m": HTTP 400: UnsupportedParamsError: Anthropic expects the `tools` param to be passed in', true],
  ['Model "m": HTTP 422 Unprocessable Entity: toolConfig must be defined', true],
  ['Model "m": HTTP 400 Bad Request: maximum context length exceeded', false],
  ['Model "m": HTTP 500: the tool server is down', false],
  ['Model "m": the answer was cut short', false],
]

for (const [message, refuses] of refusals) {
  test(`${refuses ? 'refuses' : 'does not refuse'} a history of calls: ${message}`, () =>
    assert.is(refusesToolHistory(message), refuses))
}

const lengths: readonly (readonly [message: string, tooLong: boolean])[] = [
  ['Model "m": HTTP 400 Bad Request: This model\'s maximum context length is 8192 tokens', true],
  ['Model "m": HTTP 400 Bad Request: context_length_exceeded', true],
  ['Model "m": HTTP 400: prompt is too long: 210000 tokens > 200000 maximum', true],
  ['Model "m": HTTP 413 Payload Too Large: Request too large. Please reduce the length of the messages', true],
  ['Model "m": HTTP 422: input is too long for requested model', true],
  ['Model "m": HTTP 429 Too Many Requests: too many tokens per minute', false],
  ['Model "m": HTTP 400 Bad Request: unknown field', false],
  ['Model "m": the answer was cut off at the output limit of the context window', false],
]

for (const [message, tooLong] of lengths) {
  test(`${tooLong ? 'too long' : 'not too long'}: ${message}`, () => assert.is(saysTooLong(message), tooLong))
}

test.run()
