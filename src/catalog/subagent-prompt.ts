import { FOLDERS } from './builtin.ts'
import type { AgentDefinition } from './definition.ts'

const PLACE = `You work here as a subagent: a lead agent has handed you one task and waits for your report. Nobody answers questions; where the task leaves something open, choose what serves its goal and say what you chose. The task tool is not available to you and you must never spawn subagents. Your final message is the whole result, and the lead sees nothing else of your work.`

/**
 * The system prompt of a subagent. Built-in ones say all there is to say, the same under every config; behind the words
 * of any other stands what its author could not know or would have to repeat. Source: decision 25.
 */
export const subagentPrompt = ({ source, systemPrompt }: AgentDefinition, reachesFiles: boolean): string =>
  source === 'builtin' ? systemPrompt : [systemPrompt.trim(), PLACE, ...(reachesFiles ? [FOLDERS] : [])].join('\n\n')
