// What the built-in agents share.

/** Where files are, as every built-in agent is told. */
export const FOLDERS = `Files
- /mnt/user-data/workspace is the working folder, shared with the lead and the other subagents. A relative path counts from there.
- /mnt/user-data/uploads holds what the user gave. /mnt/user-data/outputs is for results the user should get.
- From the working folder these two are ../uploads/ and ../outputs/, in commands and scripts as in file tools.`

/** What no built-in agent may use, whatever its parent has. */
export const DENIED: readonly string[] = ['task', 'ask_clarification', 'present_files']
