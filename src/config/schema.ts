import * as z from 'zod/mini'
import { loopDetection, summarization, tokenBudget } from './sections/guards.ts'
import { models } from './sections/models.ts'
import { memory, runtime, skills } from './sections/runtime.ts'
import { sandbox } from './sections/sandbox.ts'
import { acpAgents, agentStorage, http, mcpServers } from './sections/servers.ts'
import { agents, lead, subagents } from './sections/subagents.ts'
import { toolOutput, toolSearch, tools, web } from './sections/tools.ts'

/** The strict shape of the whole config. */
export const configSchema = z.strictObject({
  models,
  tools,
  subagents,
  lead,
  agents,
  agent_storage: agentStorage,
  loop_detection: loopDetection,
  token_budget: tokenBudget,
  summarization,
  tool_search: toolSearch,
  tool_output: toolOutput,
  skills,
  memory,
  sandbox,
  web,
  acp_agents: acpAgents,
  mcp_servers: mcpServers,
  http,
  runtime,
})
