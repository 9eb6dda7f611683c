// `deepagents` with its own `task` tool and a subagent of its own kind. What its settings can leave out is left out:
// tools that no other contestant offers, the general-purpose subagent beside ours, summaries, repair of transcripts.
// Its file tools keep their own schemas, since their names are taken; see `bytes` in the tables.
import { createDeepAgent, createFilesystemMiddleware, registerHarnessProfile } from 'deepagents'
import { contest } from '../lib/contestant.mjs'
import { asUser, chatModel, readText, toTool } from '../lib/langchain.mjs'

registerHarnessProfile('openai', {
  excludedMiddleware: ['SummarizationMiddleware', 'patchToolCallsMiddleware'],
})

const FILE_TOOLS = ['ls', 'read_file', 'write_file', 'glob', 'grep']

contest(({ url, lead, sub, streaming }) => {
  const isOwn = ({ function: { name } }) => name === 'task' || FILE_TOOLS.includes(name)
  const files = () =>
    createFilesystemMiddleware({
      tools: FILE_TOOLS,
      customToolDescriptions: Object.fromEntries(
        sub.tools.filter(isOwn).map(({ function: { name, description } }) => [name, description]),
      ),
    })
  const mine = ({ tools }) => tools.filter((offer) => !isOwn(offer)).map((offer) => toTool(offer))

  const leader = createDeepAgent({
    model: chatModel(url, 'lead', true),
    systemPrompt: lead.system,
    tools: mine(lead),
    middleware: [files()],
    subagents: [
      {
        name: 'general-purpose',
        description: 'Works on one part of the task and reports.',
        model: chatModel(url, 'sub', streaming),
        systemPrompt: sub.system,
        tools: mine(sub),
        middleware: [files()],
      },
    ],
  })
  return {
    run: async (prompt, signal) => readText(await leader.stream(asUser(prompt), { streamMode: 'messages', signal })),
    close() {},
  }
})
