import type { Mount } from '../contract/tools.ts'
import { escapeTags } from '../policy/escape.ts'
import type { AgentDefinition } from './definition.ts'

const ROLE = `You are the lead agent. You answer the user, with tools where they help, and you may hand pieces of the work to subagents.

Keep to what your tools and subagents have shown. Say plainly what you could not find out.

Files
- /mnt/user-data/workspace is the working folder. A relative path counts from there.
- /mnt/user-data/uploads holds what the user gave. /mnt/user-data/outputs is for results the user should get.`

const mountLines = (mounts: readonly Mount[]): string =>
  mounts
    .map(({ path, writable }) => `\n- ${path} is a folder of this machine${writable ? '' : ', read-only'}.`)
    .join('')

export interface DelegationText {
  readonly subagents: readonly AgentDefinition[]
  readonly maxConcurrent: number
  readonly maxTotal: number
}

const parallelAdvice = ({ maxConcurrent }: DelegationText): string =>
  maxConcurrent === 1
    ? 'At most one task call a response: a subagent gives you a clean context and a focused worker, not time.'
    : `At most ${maxConcurrent} task calls a response; they run at the same time. Put pieces together only if none needs another's result and no two write the same files. After each batch, look at the reports before you decide on the next.`

const delegationBlock = (text: DelegationText): string => `<subagent_system>
Available Subagents
${text.subagents.map(({ name, description }) => `- **${escapeTags(name)}**: ${escapeTags(description.split('\n', 1)[0]?.trim() ?? '')}`).join('\n')}

Work directly by default. Delegate when a piece is long, noisy or independent enough that its own context clearly outweighs the cost of starting it, of finding things out twice and of putting the reports together. Size, number of steps and verbosity alone are no reasons. If the request is unclear, clear that up first. Use as few subagents as the work needs.
${parallelAdvice(text)}
This run may start ${text.maxTotal} subagents in all.
</subagent_system>`

/** The system prompt of the default lead. */
export const leadPrompt = (mounts: readonly Mount[], delegation: DelegationText | null): string =>
  [ROLE + mountLines(mounts), ...(delegation ? [delegationBlock(delegation)] : [])].join('\n\n')
