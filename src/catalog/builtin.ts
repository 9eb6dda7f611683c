// What the built-in agents share.

/** Where files are, as every built-in agent is told. */
export const FOLDERS = `Files
- /mnt/user-data/workspace is the working folder, shared with the lead and the other subagents. A relative path counts from there.
- /mnt/user-data/uploads holds what the user gave, ../uploads/ from the working folder. /mnt/user-data/outputs is for results the user should get.`

/** What no built-in agent may use, whatever its parent has. */
export const DENIED: readonly string[] = ['task', 'ask_clarification', 'present_files']
