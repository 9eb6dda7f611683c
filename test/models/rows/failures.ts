import type { Row } from '../check-answer.ts'
import { calls, chunk, done, piece, stop, text, whole } from '../sse.ts'

const a = { index: 0, id: 'a', name: 'read' }

export const failures: readonly Row[] = [
  {
    name: 'an error object',
    body: `data: {"error":{"message":"quota exceeded","code":429}}\n\n${done}`,
    fails: 'quota exceeded (429)',
  },
  {
    name: 'an error object after some text',
    body: text('Some te') + chunk({ choices: [], error: { message: 'worker gone', code: 502 } }) + done,
    text: 'Some te',
    fails: 'worker gone (502)',
  },
  {
    name: 'an error event of JSON',
    body: 'event: error\ndata: {"error":"Internal network failure"}',
    fails: 'Internal network failure',
  },
  {
    name: 'an error event without an error field',
    body: 'event: error\ndata: {"message":"overloaded"}\n\n',
    fails: 'overloaded',
  },
  { name: 'an error event of plain text', body: 'event: error\ndata: went wrong\n\n', fails: 'went wrong' },
  {
    name: 'the object "error"',
    body: 'data: {"object":"error","message":"too long","code":400}\n\n',
    fails: 'too long (400)',
  },
  {
    name: 'an error in one JSON body',
    body: '{"error":{"message":"no such model","type":"invalid_request_error"}}',
    fails: 'no such model (invalid_request_error)',
  },
  { name: 'no finish reason and no [DONE]', body: text('Hello'), text: 'Hello', fails: 'cut short' },
  { name: 'a call without its end', body: calls(piece('{"p":', a)), fails: 'cut short' },
  { name: 'comments alone', body: ': keep-alive\n\n: keep-alive\n\n', fails: 'cut short' },
  { name: 'nothing', body: '', fails: 'without any content' },
  {
    name: 'data that is not JSON',
    body: `${text('Hello')}data: {"choices":[\n\n${stop}${done}`,
    text: 'Hello',
    fails: 'not JSON',
  },
  { name: 'one JSON body that is cut', body: whole({ content: 'Hello' }).slice(0, -20), fails: 'not JSON' },
  { name: 'one JSON body without choices', body: '{"ok":true}', fails: 'no message' },
  { name: 'a page', body: '<html><body>Welcome</body></html>', fails: 'a web page' },
  {
    name: 'an error status with JSON',
    status: 429,
    body: '{"error":{"message":"Slow down"}}',
    fails: 'HTTP 429 Too Many Requests: Slow down',
  },
  {
    name: 'an error status with a list',
    status: 400,
    body: '[{"error":{"message":"Bad field"}}]',
    fails: 'HTTP 400 Bad Request: Bad field',
  },
  {
    name: 'an error status with detail',
    status: 422,
    body: '{"detail":[{"msg":"x","message":"field required"}]}',
    fails: 'field required',
  },
  {
    name: 'an error status with a page',
    status: 502,
    body: '<html><head><style>p {}</style></head><body><h1>502</h1>\n<p>nginx</p></body></html>',
    fails: 'HTTP 502 Bad Gateway: 502 nginx',
  },
  {
    name: 'an error status with text',
    status: 500,
    body: 'went wrong',
    fails: 'HTTP 500 Internal Server Error: went wrong',
  },
  { name: 'an error status with nothing', status: 503, body: '', fails: 'HTTP 503 Service Unavailable' },
  {
    name: 'a refused key',
    status: 401,
    body: '{"error":{"message":"bad key"}}',
    fails: 'HTTP 401 Unauthorized: bad key (see api_key)',
  },
  { name: 'a wrong address', status: 404, body: 'not found', fails: 'see base_url and model' },
  { name: 'a redirect', status: 308, body: '', fails: 'the endpoint moved; see base_url' },
  { name: 'a long error is cut', status: 500, body: 'x'.repeat(5000), fails: `: ${'x'.repeat(499)}…` },
  {
    name: 'a long error is cut between words',
    status: 500,
    body: `${'x'.repeat(480)} sk-secret-key-that-is-long`,
    fails: `${'x'.repeat(480)}…`,
  },
]
