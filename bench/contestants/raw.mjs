// The floor: the same requests by hand. Keeps transcripts, parses the answer, runs the tool, counts usage; nothing else.
import { Agent, request } from 'node:http'
import { contest } from '../lib/contestant.mjs'
import { works } from '../tools/work.mjs'

const pool = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY, scheduling: 'fifo' })

/** One model request: text, tool calls and usage of the answer, streamed or whole. */
function complete({ url, head, streaming }, messages, signal) {
  return new Promise((resolve, reject) => {
    const body = `${head}${JSON.stringify(messages)}}`
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      authorization: 'Bearer none',
    }
    const finish = (reply) => {
      signal.removeEventListener('abort', abort)
      resolve(reply)
    }
    const read = streaming ? readStream : readWhole
    const req = request(`${url}/chat/completions`, { method: 'POST', agent: pool, headers }, (res) => {
      res.setEncoding('utf8')
      res.on('error', reject)
      read(res, finish)
    })
    const abort = () => {
      req.destroy()
      reject(new Error('cancelled'))
    }
    signal.addEventListener('abort', abort)
    req.on('error', reject)
    req.end(body)
  })
}

function readStream(res, finish) {
  const reply = { text: '', calls: [], usage: null }
  let rest = ''
  res.on('data', (part) => {
    const lines = (rest + part).split('\n')
    rest = lines.pop()
    for (const line of lines) if (line.startsWith('data: {')) take(reply, JSON.parse(line.slice(6)))
  })
  res.on('end', () => finish(reply))
}

function readWhole(res, finish) {
  let all = ''
  res.on('data', (part) => (all += part))
  res.on('end', () => {
    const { choices, usage } = JSON.parse(all)
    const [{ message }] = choices
    finish({ text: message.content ?? '', calls: message.tool_calls ?? [], usage })
  })
}

function take(reply, { choices: [choice], usage }) {
  if (usage) reply.usage = usage
  if (!choice) return
  if (choice.delta.content) reply.text += choice.delta.content
  for (const { index, id, function: fn } of choice.delta.tool_calls ?? []) {
    if (id) reply.calls[index] = { id, type: 'function', function: { name: fn.name, arguments: fn.arguments } }
    else reply.calls[index].function.arguments += fn.arguments
  }
}

async function loop(agent, prompt, signal) {
  const { system, runTool } = agent
  const messages = [
    { role: 'system', content: system },
    { role: 'user', content: prompt },
  ]
  let tokens = 0
  for (;;) {
    const { text, calls, usage } = await complete(agent, messages, signal)
    tokens += usage?.total_tokens ?? 0
    if (calls.length === 0) return { text, tokens }
    messages.push({ role: 'assistant', content: text || null, tool_calls: calls })
    const results = await Promise.all(
      calls.map((call) => runTool(call.function.name, JSON.parse(call.function.arguments), signal)),
    )
    messages.push(...results.map((content, i) => ({ role: 'tool', tool_call_id: calls[i].id, content })))
  }
}

contest(({ url, lead, sub, streaming: subStreams }) => {
  const setting = (model, streaming, { system, tools: offered }, runTool) => {
    const streams = streaming && { stream: true, stream_options: { include_usage: true } }
    const head = `${JSON.stringify({ model, ...streams, tools: offered }).slice(0, -1)},"messages":`
    return { url, system, runTool, streaming, head }
  }
  const subagent = setting('sub', subStreams, sub, (name, { query }) => works[name](query))
  const leader = setting(
    'lead',
    true,
    lead,
    async (_, { prompt }, signal) => `Task Succeeded. Result: ${(await loop(subagent, prompt, signal)).text}`,
  )
  return {
    run: async (prompt, signal) => (await loop(leader, prompt, signal)).text,
    close: () => pool.destroy(),
  }
})
