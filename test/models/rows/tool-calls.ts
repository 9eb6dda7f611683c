import type { Row } from '../check-answer.ts'
import { calls, delta, done, piece, stop, text, wantsTools, whole } from '../sse.ts'

const a = { index: 0, id: 'a', name: 'read' }
const b = { index: 1, id: 'b', name: 'read' }

export const toolCalls: readonly Row[] = [
  {
    name: 'a call in pieces',
    body:
      calls(piece('', a)) + calls(piece('{"p":', { index: 0 })) + calls(piece('1}', { index: 0 })) + wantsTools + done,
    calls: [['read', { p: 1 }]],
    ids: ['a'],
  },
  {
    name: 'parallel calls whose pieces interleave',
    body:
      calls(piece('', a), piece('', b)) +
      calls(piece('{"p":', { index: 0 })) +
      calls(piece('{"p":', { index: 1 })) +
      calls(piece('1}', { index: 0 })) +
      calls(piece('2}', { index: 1 })) +
      wantsTools +
      done,
    calls: [
      ['read', { p: 1 }],
      ['read', { p: 2 }],
    ],
    ids: ['a', 'b'],
  },
  {
    name: 'calls that are all number 0',
    body: calls(piece('{"p":1}', a)) + calls(piece('{"p":2}', { ...b, index: 0 })) + wantsTools + done,
    calls: [
      ['read', { p: 1 }],
      ['read', { p: 2 }],
    ],
    ids: ['a', 'b'],
  },
  {
    name: 'the same in pieces',
    body:
      calls(piece('{"p":', a)) +
      calls(piece('1}', { index: 0 })) +
      calls(piece('{"p":', { ...b, index: 0 })) +
      calls(piece('2}', { index: 0 })) +
      wantsTools +
      done,
    calls: [
      ['read', { p: 1 }],
      ['read', { p: 2 }],
    ],
  },
  {
    name: 'all number 0 and without ids',
    body:
      calls(piece('{"p":1}', { index: 0, name: 'read' })) +
      calls(piece('{"p":2}', { index: 0, name: 'read' })) +
      calls(piece('{}', { index: 0, name: 'write' })) +
      wantsTools +
      done,
    calls: [
      ['read', { p: 1 }],
      ['read', { p: 2 }],
      ['write', {}],
    ],
  },
  {
    name: 'no index, with ids',
    body:
      calls(piece('{"p":', { id: 'a', name: 'read' })) +
      calls(piece('1}', { id: 'a' })) +
      calls(piece('{"p":2}', { id: 'b', name: 'read' })) +
      wantsTools +
      done,
    calls: [
      ['read', { p: 1 }],
      ['read', { p: 2 }],
    ],
    ids: ['a', 'b'],
  },
  {
    name: 'neither index nor id',
    body:
      calls(piece('{"p":', { name: 'read' })) +
      calls(piece('1}')) +
      calls(piece('{}', { name: 'write' })) +
      wantsTools +
      done,
    calls: [
      ['read', { p: 1 }],
      ['write', {}],
    ],
  },
  {
    name: 'neither index nor id, whole calls in one chunk',
    body: calls(piece('', { name: 'ping' }), piece('', { name: 'ping' })) + wantsTools + done,
    calls: [
      ['ping', {}],
      ['ping', {}],
    ],
  },
  {
    name: 'empty id and name in later pieces',
    body:
      calls(piece('', a)) +
      calls(piece('{"p":', { index: 0, id: '', name: '' })) +
      calls(piece('1}', { index: 0, id: '', name: null })) +
      wantsTools +
      done,
    calls: [['read', { p: 1 }]],
    ids: ['a'],
  },
  {
    name: 'the id "null" in later pieces',
    body: calls(piece('{"p":', a)) + calls(piece('1}', { index: 0, id: 'null' })) + wantsTools + done,
    calls: [['read', { p: 1 }]],
    ids: ['a'],
  },
  {
    name: 'a new id in each piece',
    body: calls(piece('{"p":', a)) + calls(piece('1}', { index: 0, id: 'z' })) + wantsTools + done,
    calls: [['read', { p: 1 }]],
    ids: ['a'],
  },
  {
    name: 'id and name repeated in each piece',
    body: calls(piece('{"p":', a)) + calls(piece('1}', a)) + calls(piece('', a)) + wantsTools + done,
    calls: [['read', { p: 1 }]],
    ids: ['a'],
  },
  {
    name: 'the id after the name',
    body:
      calls(piece('{"p":', { index: 0, name: 'read' })) + calls(piece('1}', { index: 0, id: 'a' })) + wantsTools + done,
    calls: [['read', { p: 1 }]],
    ids: ['a'],
  },
  {
    name: 'a name in pieces',
    body:
      calls(piece('', { index: 0, id: 'a', name: 're' })) +
      calls(piece('{}', { index: 0, name: 'ad' })) +
      wantsTools +
      done,
    calls: [['read', {}]],
  },
  {
    name: 'no id',
    body: calls(piece('{"p":1}', { index: 0, name: 'read' })) + wantsTools + done,
    calls: [['read', { p: 1 }]],
  },
  {
    name: 'the id null',
    body: calls(piece('{"p":1}', { index: 0, id: null, name: 'read' })) + wantsTools + done,
    calls: [['read', { p: 1 }]],
  },
  {
    name: 'two calls with one id',
    body: calls(piece('{"p":1}', a), piece('{"p":2}', { ...b, id: 'a' })) + wantsTools + done,
    calls: [
      ['read', { p: 1 }],
      ['read', { p: 2 }],
    ],
    ids: ['a', 'a'],
  },
  { name: 'arguments as an object', body: calls(piece({ p: 1 }, a)) + wantsTools + done, calls: [['read', { p: 1 }]] },
  { name: 'no arguments at all', body: calls(piece(undefined, a)) + wantsTools + done, calls: [['read', {}]] },
  { name: 'arguments of blanks', body: calls(piece('  \n', a)) + wantsTools + done, calls: [['read', {}]] },
  { name: 'arguments null', body: calls(piece(null, a)) + wantsTools + done, calls: [['read', {}]] },
  { name: 'the arguments "null"', body: calls(piece('null', a)) + wantsTools + done, calls: [['read', {}]] },
  {
    name: 'arguments encoded twice',
    body: calls(piece(JSON.stringify('{"p":1}'), a)) + wantsTools + done,
    calls: [['read', { p: 1 }]],
  },
  {
    name: 'a string argument that is JSON stays a string',
    body: calls(piece('{"content":"[1,2]"}', a)) + wantsTools + done,
    calls: [['read', { content: '[1,2]' }]],
  },
  {
    name: 'arguments that are not JSON',
    body: calls(piece('{"path" "/x"}', a)) + wantsTools + done,
    calls: [['read', 'not valid JSON (']],
    ids: ['a'],
  },
  {
    name: 'arguments that are cut off',
    body: calls(piece('{"path":"/x","content":"half of', a)) + wantsTools + done,
    calls: [['read', 'probably cut off']],
  },
  {
    name: 'arguments cut off at the output limit',
    body: calls(piece('{"p":1}', a), piece('{"path":"/x","content":"half of', b)) + delta({}, 'length') + done,
    calls: [
      ['read', { p: 1 }],
      ['read', 'output limit'],
    ],
  },
  {
    name: 'a call cut off at the output limit before its arguments',
    body: calls(piece('{"p":1}', a)) + calls(piece('', b)) + delta({}, 'max_tokens') + done,
    calls: [
      ['read', { p: 1 }],
      ['read', 'output limit'],
    ],
  },
  {
    name: 'whole calls at the output limit',
    body: calls(piece('{"p":1}', a)) + delta({}, 'length') + done,
    calls: [['read', { p: 1 }]],
  },
  {
    name: 'a broken call at the output limit that is not the last',
    body: calls(piece('{"p"', a), piece('{"p":2}', b)) + delta({}, 'length') + done,
    calls: [
      ['read', 'not valid JSON'],
      ['read', { p: 2 }],
    ],
  },
  {
    name: 'arguments that are a list',
    body: calls(piece('[1]', a)) + wantsTools + done,
    calls: [['read', 'not an array']],
  },
  {
    name: 'arguments that are a number',
    body: calls(piece('7', a)) + wantsTools + done,
    calls: [['read', 'not a number']],
  },
  {
    name: 'a call without a name',
    body: calls(piece('{"p":1}', { index: 0, id: 'a' })) + wantsTools + done,
    calls: [['unnamed', 'names no tool']],
  },
  {
    name: 'a call of nothing',
    body: calls(piece('', { index: 0, id: 'a' }), null, 7, { index: 0, function: null }) + text('Hello') + stop + done,
    text: 'Hello',
    calls: [],
  },
  { name: 'calls that are no list', body: delta({ tool_calls: 'no' }) + text('Hello') + stop + done, text: 'Hello' },
  {
    name: 'text beside a call',
    body: text('Let me look.') + calls(piece('{}', a)) + wantsTools + done,
    text: 'Let me look.',
    calls: [['read', {}]],
  },
  {
    name: 'one JSON body with calls',
    body: whole({
      content: null,
      tool_calls: [piece('{"p":1}', { id: 'a', name: 'read' }), piece({ p: 2 }, { id: 'b', name: 'read' })],
    }),
    calls: [
      ['read', { p: 1 }],
      ['read', { p: 2 }],
    ],
    ids: ['a', 'b'],
    usage: [12, 3, 15],
  },
]
