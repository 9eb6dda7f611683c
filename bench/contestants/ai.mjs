// `ai` 6 as its page on subagents has it: two agents, made once, and a tool that calls the second. The lead's answer
// streams, as a service wants it; the subagents' answers stream too, or come as a whole.
// Fastest fair settings: no request bodies retained, no telemetry, no retries, no schema validation.
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import { jsonSchema, stepCountIs, ToolLoopAgent, tool } from 'ai'
import { contest } from '../lib/contestant.mjs'
import { works } from '../tools/work.mjs'

globalThis.AI_SDK_LOG_WARNINGS = false

contest(({ url, lead, sub, streaming }) => {
  const provider = createOpenAICompatible({ name: 'mock', baseURL: url, apiKey: 'none', includeUsage: true })

  const agent = (model, { system, tools: offered }, execute) =>
    new ToolLoopAgent({
      model: provider(model),
      instructions: system,
      tools: Object.fromEntries(
        offered.map(({ function: { name, description, parameters } }) => [
          name,
          tool({
            description,
            inputSchema: jsonSchema(parameters),
            execute: (input, options) => execute(name, input, options),
          }),
        ]),
      ),
      stopWhen: stepCountIs(20),
      maxRetries: 0,
      experimental_include: { requestBody: false, responseBody: false },
    })

  const subagent = agent('sub', sub, (name, { query }) => works[name](query))
  const leader = agent('lead', lead, async (_, { prompt }, { abortSignal }) => {
    const result = await subagent[streaming ? 'stream' : 'generate']({ prompt, abortSignal })
    return `Task Succeeded. Result: ${await result.text}`
  })

  return {
    async run(prompt, abortSignal) {
      const result = await leader.stream({ prompt, abortSignal })
      let text = ''
      for await (const piece of result.textStream) text += piece
      abortSignal.throwIfAborted()
      return text
    },
    close() {},
  }
})
