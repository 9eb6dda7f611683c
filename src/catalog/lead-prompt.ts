import type { Mount } from '../contract/tools.ts'
import { escapeTags } from '../policy/escape.ts'
import type { AgentDefinition } from './definition.ts'

const ROLE = `You are the lead agent. You answer the user, with tools where they help.

Keep to what your tools have shown. Say plainly what you could not find out.

Files
- /mnt/user-data/workspace is the working folder. A relative path counts from there.
- /mnt/user-data/uploads holds what the user gave. /mnt/user-data/outputs is for results the user should get.`

const mountLines = (mounts: readonly Mount[]): string =>
  mounts
    .map(({ path, writable }) => `\n- ${path} is a folder of this machine${writable ? '' : ', read-only'}.`)
    .join('')

export interface DelegationText {
  /** Those that `task` can start. */
  readonly subagents: readonly AgentDefinition[]
  readonly maxConcurrent: number
  readonly maxTotal: number
  readonly overflow: 'trim' | 'queue'
}

/** What a subagent is good for. Time is a reason only where two can run at once. */
const benefits = ({ maxConcurrent }: DelegationText): string =>
  maxConcurrent === 1
    ? 'a specialist, or a context of its own that keeps noise out of yours'
    : 'a specialist, a context of its own that keeps noise out of yours, or work done at the same time'

const batchAdvice = ({ maxConcurrent, overflow }: DelegationText): string => {
  if (maxConcurrent === 1) {
    return overflow === 'queue'
      ? 'One subagent works at a time, so it saves no time: of several task calls in one response each waits for the one before.'
      : 'At most one task call a response. Subagents work one after the other, so they save no time.'
  }
  const limit =
    overflow === 'queue'
      ? `${maxConcurrent} subagents work at the same time; of more task calls in one response the rest wait for a place.`
      : `At most ${maxConcurrent} task calls a response; they run at the same time.`
  return `${limit} Put pieces together only if none needs another's result and no two touch the same files or the same state. After each batch, look at the reports before you decide on the next.`
}

const entryLine = ({ name, description }: AgentDefinition): string =>
  `- **${escapeTags(name)}**: ${escapeTags(description.split('\n', 1)[0]?.trim() ?? '')}`

const delegationBlock = (text: DelegationText): string => `<subagent_system>
Available Subagents
${text.subagents.map(entryLine).join('\n')}

Work directly by default. Delegate where the benefit clearly exceeds the cost. The benefit is ${benefits(text)}. The cost is the start, finding things out twice, putting the reports together, and work that gets in the way of other work. Complexity, number of steps, verbosity and the size of a repository are no reasons by themselves. If the request is unclear, clear that up first. Use as few subagents as the work needs.
${batchAdvice(text)}
This run may start ${text.maxTotal} subagents in all.
</subagent_system>`

/** The system prompt of the default lead. */
export const leadPrompt = (mounts: readonly Mount[], delegation: DelegationText | null): string =>
  [ROLE + mountLines(mounts), ...(delegation ? [delegationBlock(delegation)] : [])].join('\n\n')
