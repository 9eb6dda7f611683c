import type { ToolSpec } from '../contract/tools.ts'

// By these an agent turns to the user. Built-in subagents have neither.

/** In no group: an agent that may use few tools may still ask. */
export const ASK_CLARIFICATION: ToolSpec = {
  name: 'ask_clarification',
  description:
    'Ask the user one question and stop: your work ends here, and the answer comes as their next message. ' +
    'Only where you cannot go on without it: what is wanted is unclear, information is missing, or a step that cannot be undone needs leave. ' +
    'Where a reasonable choice will do, make it and say so. Nothing else that you call beside it is run.',
  parameters: {
    type: 'object',
    properties: {
      question: { type: 'string', description: 'The question, with what the user needs to know to answer it.' },
      options: {
        type: 'array',
        items: { type: 'string' },
        description: 'Answers to choose from, where there are few. The one you advise comes first.',
      },
    },
    required: ['question'],
  },
  placement: 'worker',
  timeoutMs: null,
  group: null,
  module: null,
}

export const PRESENT_FILES: ToolSpec = {
  name: 'present_files',
  description:
    'Present finished files to the user. They must be under /mnt/user-data/outputs; copy others there first. ' +
    'Say in your answer what each is for.',
  parameters: {
    type: 'object',
    properties: {
      paths: {
        type: 'array',
        items: { type: 'string' },
        description: 'Absolute paths, such as /mnt/user-data/outputs/report.md.',
      },
    },
    required: ['paths'],
  },
  placement: 'worker',
  timeoutMs: 60_000,
  group: 'file',
  module: null,
}
