// LangChain's `createAgent` as its page on subagents has it: a second agent, made once, behind a tool of the first.
// No middleware, no checkpointer, no tracing.
import { createAgent } from 'langchain'
import { contest } from '../lib/contestant.mjs'
import { asUser, chatModel, readText, toTool } from '../lib/langchain.mjs'

contest(({ url, lead, sub, streaming }) => {
  const subagent = createAgent({
    model: chatModel(url, 'sub', streaming),
    tools: sub.tools.map((offer) => toTool(offer)),
    systemPrompt: sub.system,
  })
  const task = async ({ prompt }, { signal }) => {
    const { messages } = await subagent.invoke(asUser(prompt), { signal })
    return `Task Succeeded. Result: ${messages.at(-1).text}`
  }
  const leader = createAgent({
    model: chatModel(url, 'lead', true),
    tools: lead.tools.map((offer) => toTool(offer, offer.function.name === 'task' ? task : undefined)),
    systemPrompt: lead.system,
  })
  return {
    run: async (prompt, signal) => readText(await leader.stream(asUser(prompt), { streamMode: 'messages', signal })),
    close() {},
  }
})
