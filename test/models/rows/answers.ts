import type { Row } from '../check-answer.ts'
import { chunk, counted, delta, done, stop, text, usage, whole } from '../sse.ts'

export const answers: readonly Row[] = [
  {
    name: 'text in pieces, with usage',
    body: text('Hel') + text('lo') + stop + usage + done,
    text: 'Hello',
    usage: [12, 3, 15],
  },
  { name: 'a chunk without choices', body: text('Hel') + chunk({}) + text('lo') + stop + done, text: 'Hello' },
  { name: 'a chunk with empty choices', body: chunk({ choices: [] }) + text('Hello') + stop + done, text: 'Hello' },
  { name: 'a choice that is null', body: chunk({ choices: [null] }) + text('Hello') + stop + done, text: 'Hello' },
  {
    name: 'a delta that is null',
    body: chunk({ choices: [{ delta: null }] }) + text('Hello') + stop + done,
    text: 'Hello',
  },
  { name: 'data that is null', body: `data: null\n\n${text('Hello')}${stop}${done}`, text: 'Hello' },
  { name: 'content that is null', body: text(null) + text('Hello') + stop + done, text: 'Hello' },
  { name: 'empty data', body: `data:\n\n${text('Hello')}${stop}${done}`, text: 'Hello' },
  {
    name: 'usage that is null until the last chunk',
    body: chunk({ choices: [{ delta: { content: 'Hello' } }], usage: null }) + stop + usage + done,
    text: 'Hello',
    usage: [12, 3, 15],
  },
  {
    name: 'usage counted in every chunk',
    body: usage + text('Hello') + stop + usage + done,
    text: 'Hello',
    usage: [12, 3, 15],
  },
  {
    name: 'usage inside the choice',
    body: text('Hello') + chunk({ choices: [{ delta: {}, finish_reason: 'stop', usage: counted }] }) + done,
    text: 'Hello',
    usage: [12, 3, 15],
  },
  { name: 'no usage', body: text('Hello') + stop + done, text: 'Hello', usage: null },
  {
    name: 'comments as keep-alive',
    body: `: one\n\n${text('Hel')}: two\n\n: three\n${text('lo')}${stop}${done}`,
    text: 'Hello',
  },
  { name: 'CRLF', body: (text('Hel') + text('lo') + stop + done).replaceAll('\n', '\r\n'), text: 'Hello' },
  {
    name: 'no space after the colon',
    body: (text('Hello') + stop + done).replaceAll('data: ', 'data:'),
    text: 'Hello',
  },
  { name: 'a byte-order mark', body: `\uFEFF${text('Hello')}${stop}${done}`, text: 'Hello' },
  {
    name: 'event, id and retry lines',
    body: `event: message\nid: 7\nretry: 1000\n${text('Hello')}${stop}${done}`,
    text: 'Hello',
  },
  {
    name: 'one event over two data lines',
    body: `data: {"choices":[{"index":0,\ndata: "delta":{"content":"Hello"}}]}\n\n${stop}${done}`,
    text: 'Hello',
  },
  {
    name: 'no blank lines between events',
    body: (text('Hel') + text('lo') + stop + done).replaceAll('\n\n', '\n'),
    text: 'Hello',
  },
  { name: 'no newline after the last event', body: (text('Hello') + stop).trimEnd(), text: 'Hello' },
  { name: 'no [DONE] after a finish reason', body: text('Hello') + stop, text: 'Hello' },
  { name: '[DONE] without a finish reason', body: text('Hello') + done, text: 'Hello', finish: null },
  { name: 'an empty answer that says it is finished', body: stop + done, text: '' },
  {
    name: 'blocks of content',
    body:
      text([
        { type: 'thinking', thinking: 'no' },
        { type: 'text', text: 'Hel' },
        'lo',
        null,
        { type: 'output_text', text: ' you ' },
        { type: 'image_url', image_url: {} },
        { type: 'odd' },
      ]) +
      stop +
      done,
    text: 'Hello you [image]',
  },
  {
    name: 'a message where a delta belongs',
    body: chunk({ choices: [{ message: { content: 'Hello' }, finish_reason: 'stop' }] }) + done,
    text: 'Hello',
  },
  {
    name: 'half a character at the end',
    body: text('Hello') + text('\ud83e') + delta({}, 'length') + done,
    text: 'Hello\ufffd',
    finish: 'length',
  },
  {
    name: 'a character cut between two deltas',
    body: text('Hello \ud83e') + text('\udd8c') + stop + done,
    text: 'Hello 🦌',
  },
  {
    name: 'reasoning beside the answer',
    body:
      delta({ reasoning_content: 'Look ' }) +
      delta({ content: '', reasoning_content: 'first.' }) +
      text('Hello') +
      stop,
    text: 'Hello',
    reasoning: ['reasoning_content', 'Look first.'],
  },
  {
    name: 'reasoning under its other name',
    body: delta({ reasoning: 'Hm' }) + delta({ reasoning: null }) + text('Hello') + stop,
    text: 'Hello',
    reasoning: ['reasoning', 'Hm'],
  },
  {
    name: 'reasoning under both names',
    body: delta({ reasoning: 'Hm', reasoning_content: 'Hm' }) + text('Hello') + stop,
    text: 'Hello',
    reasoning: ['reasoning_content', 'Hm'],
  },
  {
    name: 'reasoning that is no text',
    body: delta({ reasoning: { effort: 'low' } }) + text('Hello') + stop,
    text: 'Hello',
  },
  {
    name: 'a refusal',
    body: delta({ content: null, refusal: 'I ' }) + delta({ refusal: "can't." }) + stop + done,
    refusal: "I can't.",
  },
  {
    name: 'a filter',
    body: text('Here is') + delta({}, 'content_filter') + done,
    text: 'Here is',
    finish: 'content_filter',
  },
  { name: 'one JSON body', body: whole({ content: 'Hello' }), text: 'Hello', usage: [12, 3, 15] },
  {
    name: 'one JSON body over several lines',
    body: JSON.stringify(JSON.parse(whole({ content: 'Hello' })), null, 2),
    text: 'Hello',
    usage: [12, 3, 15],
  },
  {
    name: 'one JSON body without a finish reason',
    body: whole({ content: 'Hello' }, null),
    text: 'Hello',
    usage: [12, 3, 15],
    finish: null,
  },
]
