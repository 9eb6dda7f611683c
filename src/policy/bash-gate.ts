/** What of the section `sandbox` decides whether commands may run. */
export interface SandboxChoice {
  readonly use: string
  readonly allow_host_bash: boolean
}

/**
 * Whether agents may run commands. `local` is the only provider that is built, and there a command can do whatever the
 * host may: so it is off until somebody says that this is wanted, whatever `use` names.
 */
export const hostBashAllowed = ({ allow_host_bash }: SandboxChoice): boolean => allow_host_bash

const NOT_A_BOUNDARY = 'is not a secure sandbox boundary'
const WAY_OUT = 'Set sandbox.allow_host_bash: true only in a fully trusted local environment.'

/** Why `task` starts no `bash` subagent. Source: contract/runtime, appendix A, to the letter. */
export const BASH_SUBAGENT_DISABLED =
  'Bash subagent is disabled for LocalSandboxProvider because host bash execution is not a secure sandbox boundary. Switch to AioSandboxProvider for isolated bash access, or set sandbox.allow_host_bash: true only in a fully trusted local environment.'

/** Why the tool `bash` runs nothing. */
export const BASH_TOOL_DISABLED = `Host bash execution is disabled for the local sandbox because it ${NOT_A_BOUNDARY}. ${WAY_OUT}`
