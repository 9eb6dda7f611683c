/** Names that Troupe itself takes; nothing of the user's can have them. */

export const BUILTIN_AGENTS: readonly string[] = ['general-purpose', 'bash']

/** Groups of the built-in tools, and of those that the embedder brings. */
export const BUILTIN_GROUPS: readonly string[] = ['file', 'bash', 'host']

export const BUILTIN_TOOLS: readonly string[] = [
  'task',
  'bash',
  'ls',
  'read_file',
  'write_file',
  'str_replace',
  'glob',
  'grep',
  'web_fetch',
  'web_search',
  'tool_search',
  'present_files',
  'ask_clarification',
  'invoke_acp_agent',
]
