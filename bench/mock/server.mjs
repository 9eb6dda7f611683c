// A very cheap chat-completions server. It reads what it needs from the bytes of a request and parses none,
// except while `check` is on (warm-up), where it parses all and says when the two disagree.
import { createServer } from 'node:http'
import { now, serve } from '../lib/ipc.mjs'
import { inspectBody } from './inspect.mjs'
import { renderReplies } from './replies.mjs'
import { Tally } from './tally.mjs'

const HEADERS = { stream: ['content-type', 'text/event-stream'], whole: ['content-type', 'application/json'] }
const LEAD = Buffer.from('"model":"lead"')
const TOOL = Buffer.from('"role":"tool"')
const STREAM = Buffer.from('"stream":true')
const WITH_USAGE = Buffer.from('"include_usage":true')
const MARKER = Buffer.from('[run-')

let scenario
let replies
let tally
let sockets = 0

function reset(given) {
  scenario = { tasks: 3, turns: 5, tool: 'lookup', latency: 0, check: false, hold: false, ...given }
  replies = renderReplies(scenario)
  tally = new Tally()
}

// A quote inside a JSON string is escaped, so none of these patterns can occur in a message's text.
function count(body, pattern) {
  let found = 0
  for (let at = body.indexOf(pattern); at !== -1; at = body.indexOf(pattern, at + pattern.length)) found++
  return found
}

function read(body) {
  const at = body.indexOf(MARKER)
  const marker = at === -1 ? '[run-0]' : body.latin1Slice(at, body.indexOf(93, at) + 1)
  return { lead: body.includes(LEAD), results: count(body, TOOL), marker, run: Number.parseInt(marker.slice(5), 10) }
}

function answer(request, body) {
  const form = !body.includes(STREAM) ? replies.whole : body.includes(WITH_USAGE) ? replies.usage : replies.plain
  if (request.lead) return request.results ? form.report : form.delegate(request.marker)
  return request.results < scenario.turns ? form.step(request.results) : form.end
}

function handle(res, body, arrived) {
  const request = read(body)
  tally.arrived(request, arrived, body.length)
  if (scenario.check) inspectBody(tally, request, body)
  const payload = answer(request, body)
  res.writeHead(200, body.includes(STREAM) ? HEADERS.stream : HEADERS.whole)
  if (scenario.hold && !request.lead) return hold(res, payload)
  const send = () => {
    if (res.destroyed) return
    tally.sent(request, now(), scenario)
    res.end(payload)
  }
  if (scenario.latency) setTimeout(send, scenario.latency)
  else send()
}

/** Half an answer, and then nothing more: what a cancel finds in flight. */
function hold(res, payload) {
  const { held } = tally
  const entry = { closed: null }
  held.push(entry)
  res.on('close', () => (entry.closed = now()))
  res.write(payload.subarray(0, payload.length >> 1))
}

const report = () => ({ ...tally.report(), open_sockets: sockets, scenario })

const server = createServer((req, res) => {
  const arrived = now()
  res.sendDate = false
  if (req.method === 'GET') return res.end(JSON.stringify(report()))
  const parts = []
  req.on('data', (part) => parts.push(part))
  req.on('end', () => handle(res, parts.length === 1 ? parts[0] : Buffer.concat(parts), arrived))
})
server.keepAliveTimeout = 120_000
server.requestTimeout = 0
server.headersTimeout = 0
server.on('connection', (socket) => {
  sockets++
  socket.setNoDelay(true)
  socket.on('close', () => sockets--)
  socket.on('error', () => {})
})

reset({})
const listening = new Promise((ready) => server.listen(Number(process.argv[2] ?? 0), '127.0.0.1', ready))
const url = async () => {
  await listening
  return `http://127.0.0.1:${server.address().port}/v1`
}
if (process.send) serve({ url, reset, stats: report, held: () => tally.held.length })
else process.stdout.write(`${await url()}\n`)
