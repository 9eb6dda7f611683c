// `@openai/agents` as its guide has it: an agent as a tool of another. Tracing is off, arguments are parsed and not
// validated, and a subagent streams only where it is asked to.
import { Agent, OpenAIProvider, run, setTracingDisabled, tool } from '@openai/agents'
import { contest } from '../lib/contestant.mjs'
import { works } from '../tools/work.mjs'

setTracingDisabled(true)

contest(async ({ url, lead, sub, streaming }) => {
  const provider = new OpenAIProvider({ baseURL: url, apiKey: 'none', useResponses: false })
  const offered = ({ tools }) =>
    tools
      .filter(({ function: { name } }) => name !== 'task')
      .map(({ function: { name, description, parameters } }) =>
        tool({ name, description, parameters, strict: false, execute: ({ query }) => works[name](query) }),
      )
  const subagent = new Agent({
    name: 'general-purpose',
    instructions: sub.system,
    model: await provider.getModel('sub'),
    tools: offered(sub),
  })
  const { description, parameters } = lead.tools.find((offer) => offer.function.name === 'task').function
  const task = subagent.asTool({
    toolName: 'task',
    toolDescription: description,
    parameters: { ...parameters, additionalProperties: false },
    inputBuilder: ({ params }) => params.prompt,
    customOutputExtractor: ({ finalOutput }) => `Task Succeeded. Result: ${finalOutput}`,
    runOptions: { maxTurns: 20 },
    ...(streaming && { onStream() {} }),
  })
  const leader = new Agent({
    name: 'lead',
    instructions: lead.system,
    model: await provider.getModel('lead'),
    tools: [task, ...offered(lead)],
  })
  return {
    async run(prompt, signal) {
      const result = await run(leader, prompt, { stream: true, signal, maxTurns: 20 })
      let text = ''
      for await (const piece of result.toTextStream()) text += piece
      await result.completed
      signal.throwIfAborted()
      return text
    },
    close: () => provider.close(),
  }
})
