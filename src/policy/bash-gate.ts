/** Whether agents may run commands: any sandbox that is a boundary, or the local one where that is allowed. Source: contract/runtime §1.2. */
export const hostBashAllowed = (sandbox: { readonly use: string; readonly allow_host_bash: boolean }): boolean =>
  sandbox.use !== 'local' || sandbox.allow_host_bash

/** What delegating to `bash` is answered where it is not allowed. Source: contract/runtime, appendix A, to the letter. */
export const BASH_SUBAGENT_DISABLED =
  'Bash subagent is disabled for LocalSandboxProvider because host bash execution is not a secure sandbox boundary. Switch to AioSandboxProvider for isolated bash access, or set sandbox.allow_host_bash: true only in a fully trusted local environment.'
