import type { Mount } from '../contract/tools.ts'
import type { DelegationLimits } from '../policy/delegation-limits.ts'
import { delegationBlock, type Named } from './delegation-block.ts'

/** What the default lead is told of its part. */
export const DEFAULT_ROLE = `You are the lead agent. You answer the user, with tools where they help.

Keep to what your tools have shown. Say plainly what you could not find out.`

const FOLDERS = `Files
- /mnt/user-data/workspace is the working folder. A relative path counts from there.
- /mnt/user-data/uploads holds what the user gave. /mnt/user-data/outputs is for results the user should get.`

const mountLines = (mounts: readonly Mount[]): string =>
  mounts
    .map(({ path, writable }) => `\n- ${path} is a folder of this machine${writable ? '' : ', read-only'}.`)
    .join('')

export interface LeadText {
  /** The lead's part in its own words: the default one, or the prompt of an agent that leads. */
  readonly role: string
  /** The folders it sees; `null` for a lead without a tool that reaches files. */
  readonly mounts: readonly Mount[] | null
  /** `null` for a lead that may not delegate. */
  readonly delegation: (DelegationLimits & { readonly subagents: readonly Named[] }) | null
}

/** The system prompt of a lead. */
export const leadPrompt = ({ role, mounts, delegation }: LeadText): string =>
  [
    role.trim(),
    ...(mounts ? [FOLDERS + mountLines(mounts)] : []),
    ...(delegation ? [delegationBlock(delegation.subagents, delegation)] : []),
  ].join('\n\n')
