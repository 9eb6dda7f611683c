// The floor: the same requests by hand. Keeps transcripts, parses the stream, runs the tool, counts usage; nothing else.
import { Agent, request } from 'node:http'
import { contest } from '../lib/contestant.mjs'
import { burn, lookup } from '../tools/work.mjs'

const tools = { burn, lookup }
const agent = new Agent({ keepAlive: true, maxSockets: Number.POSITIVE_INFINITY, scheduling: 'fifo' })

/** One model request: collects text, tool calls and usage of the stream. */
function complete(url, head, messages, signal) {
  return new Promise((resolve, reject) => {
    const body = `${head}${JSON.stringify(messages)}}`
    const headers = {
      'content-type': 'application/json',
      'content-length': Buffer.byteLength(body),
      authorization: 'Bearer none',
    }
    const req = request(`${url}/chat/completions`, { method: 'POST', agent, headers }, (res) => {
      const reply = { text: '', calls: [], usage: null }
      let rest = ''
      res.setEncoding('utf8')
      res.on('data', (part) => {
        const lines = (rest + part).split('\n')
        rest = lines.pop()
        for (const line of lines) if (line.startsWith('data: {')) take(reply, JSON.parse(line.slice(6)))
      })
      res.on('end', () => finish(reply))
      res.on('error', reject)
    })
    const abort = () => {
      req.destroy()
      reject(new Error('cancelled'))
    }
    const finish = (reply) => {
      signal.removeEventListener('abort', abort)
      resolve(reply)
    }
    signal.addEventListener('abort', abort)
    req.on('error', reject)
    req.end(body)
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

async function loop({ url, head, system, runTool }, prompt, signal) {
  const messages = [
    { role: 'system', content: system },
    { role: 'user', content: prompt },
  ]
  let tokens = 0
  for (;;) {
    const { text, calls, usage } = await complete(url, head, messages, signal)
    tokens += usage?.total_tokens ?? 0
    if (calls.length === 0) return { text, tokens }
    messages.push({ role: 'assistant', content: text || null, tool_calls: calls })
    const results = await Promise.all(
      calls.map((call) => runTool(call.function.name, JSON.parse(call.function.arguments), signal)),
    )
    messages.push(...results.map((content, i) => ({ role: 'tool', tool_call_id: calls[i].id, content })))
  }
}

contest(({ url, lead, sub }) => {
  const setting = (model, { system, tools: offered }, runTool) => ({
    url,
    system,
    runTool,
    head: `${JSON.stringify({ model, stream: true, stream_options: { include_usage: true }, tools: offered }).slice(0, -1)},"messages":`,
  })
  const subagent = setting('sub', sub, (name, { query }) => tools[name](query))
  const leader = setting(
    'lead',
    lead,
    async (_, { prompt }, signal) => `Task Succeeded. Result: ${(await loop(subagent, prompt, signal)).text}`,
  )
  return {
    run: async (prompt, signal) => (await loop(leader, prompt, signal)).text,
    close: () => agent.destroy(),
  }
})
