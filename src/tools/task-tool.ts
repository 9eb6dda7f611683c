import type { DelegationPolicy } from '../contract/envelopes.ts'
import type { ToolSpec } from '../contract/tools.ts'
import { benefits, COST, DIRECT, EXCEEDS, NO_REASONS, runsParallel } from '../policy/delegation-words.ts'
import { DEFAULT_TYPE } from '../policy/task-arguments.ts'

const description = (parallel: boolean): string => `Hand a piece of work to a subagent and get its report back.

${DIRECT} Do by yourself what takes a step or two. Delegate only where the benefit ${EXCEEDS}. The benefit is ${benefits(parallel)}. The cost is ${COST}. ${NO_REASONS}

The subagent starts fresh: it sees nothing of this conversation, only your prompt. Say in the prompt
- the goal, and why it matters where that changes the work;
- the facts, names and absolute paths it needs;
- the constraints: what it must not touch, when to stop;
- the form of the answer you want back. Anything long belongs into a file whose path the report names: you share your files.
Too little: "Look at the failing tests." Enough: "Find out why /mnt/user-data/workspace/app/test/login.test.js fails. The code it tests is in app/src/session; change nothing. Report the cause with file and line, and the smallest fix you see."

${
  parallel
    ? 'Independent pieces go into one response, as several calls, so that they run at the same time. A piece that needs the result of another waits for your next response. Give no two of them the same file to change.'
    : 'Subagents work one after the other here. A piece that needs the result of another waits for your next response.'
}

The report comes to you and not to the user: check what matters, put it together, and answer. Where a task failed, use its partial result, and try again only with another prompt or a smaller piece.`

const typeParameter = (hasDefault: boolean): string =>
  `Name of one of the Available Subagents.${hasDefault ? ` Left out: ${DEFAULT_TYPE}.` : ''}`

const create = (parallel: boolean, hasDefault: boolean): ToolSpec => ({
  name: 'task',
  description: description(parallel),
  parameters: {
    type: 'object',
    properties: {
      prompt: { type: 'string', description: 'The whole task, complete in itself.' },
      description: { type: 'string', description: 'Three to five words that name the task for whoever watches.' },
      subagent_type: { type: 'string', description: typeParameter(hasDefault) },
      context: { type: 'string', description: 'Facts that go with the prompt: findings so far, excerpts, decisions.' },
      max_turns: {
        type: 'integer',
        description:
          'At most this many steps: about 5 for a look-up, 20 for a piece of work, 50 for a long one. It can only lower the configured cap.',
      },
    },
    required: hasDefault ? ['prompt'] : ['prompt', 'subagent_type'],
  },
  placement: 'worker',
  timeoutMs: null,
  group: null,
  module: null,
})

export const TASK_TOOL = create(true, true)
const ONE_BY_ONE = create(false, true)
const NAMED_TYPES = create(true, false)
const NAMED_TYPES_ONE_BY_ONE = create(false, false)

/** `task` as one lead is shown it: no advice and no default that does not hold for that lead. */
export const taskToolFor = (delegation: Pick<DelegationPolicy, 'maxConcurrent' | 'maxTotal' | 'types'>): ToolSpec => {
  const parallel = runsParallel(delegation)
  if (delegation.types.includes(DEFAULT_TYPE)) return parallel ? TASK_TOOL : ONE_BY_ONE
  return parallel ? NAMED_TYPES : NAMED_TYPES_ONE_BY_ONE
}
