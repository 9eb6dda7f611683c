import type { JsonSchema, ToolSpec } from '../contract/tools.ts'

// Names, descriptions and schemas alone: the host reads this file and must not load what the tools do.

const object = (properties: Readonly<Record<string, JsonSchema>>, required: readonly string[]): JsonSchema => ({
  type: 'object',
  properties,
  required,
})

const text = (description: string): JsonSchema => ({ type: 'string', description })
const integer = (description: string): JsonSchema => ({ type: 'integer', description })
const flag = (description: string): JsonSchema => ({ type: 'boolean', description })

const FILE_PATH =
  'Absolute path, such as /mnt/user-data/workspace/notes.md. A relative path counts from /mnt/user-data/workspace.'
const SEARCHED = 'Folder to search. Left out: /mnt/user-data/workspace.'

const builtin = (
  spec: Pick<ToolSpec, 'name' | 'description' | 'parameters' | 'placement' | 'timeoutMs'>,
): ToolSpec => ({
  ...spec,
  group: 'file',
  module: null,
})

const ls = builtin({
  name: 'ls',
  description:
    'List a folder and the folders directly in it, one absolute path a line; folders end in /. ' +
    'Use it first, to see what is there. Your files are under /mnt/user-data: workspace (working files), uploads (files the user gave), outputs (results for the user). ' +
    'To look deeper or by name use glob.',
  parameters: object({ path: text('Folder to list, such as /mnt/user-data/workspace.') }, ['path']),
  placement: 'worker',
  timeoutMs: 60_000,
})

const readFile = builtin({
  name: 'read_file',
  description:
    'Read a text file. A long file is cut at the end and the result says so: then read on with start_line and end_line. ' +
    'Read a file before you change it. For one fact in a large file, find its line with grep first and read around it. Binary files are not shown.',
  parameters: object(
    {
      path: text(FILE_PATH),
      start_line: integer('First line to read, counted from 1. Left out: from the beginning.'),
      end_line: integer('Last line to read, included. Left out: to the end.'),
    },
    ['path'],
  ),
  placement: 'worker',
  timeoutMs: 60_000,
})

const writeFile = builtin({
  name: 'write_file',
  description:
    'Write a text file; missing folders are made, and a file of that name is replaced as a whole. ' +
    'Put results for the user under /mnt/user-data/outputs and working files under /mnt/user-data/workspace. ' +
    'One write holds at most 81920 bytes: write the first part of a longer file, then add the others in order with append: true.',
  parameters: object(
    {
      path: text(FILE_PATH),
      content: text('The text to write.'),
      append: flag('Add to the end of the file and keep what it holds. Default: false.'),
    },
    ['path', 'content'],
  ),
  placement: 'worker',
  timeoutMs: 60_000,
})

const glob = builtin({
  name: 'glob',
  description:
    'Find files by name. * and ? stay within one folder, ** crosses any number of folders, {a,b} is either: **/*.ts finds every .ts file below, *.ts only those in the folder itself. ' +
    'Shows at most 200 paths. Folders of dependencies and build results are left out, and named, unless the pattern or the path names them.',
  parameters: object(
    { pattern: text('Pattern of the path below the folder, such as src/**/*.{ts,tsx}.'), path: text(SEARCHED) },
    ['pattern'],
  ),
  placement: 'isolated',
  timeoutMs: 120_000,
})

const grep = builtin({
  name: 'grep',
  description:
    'Find lines in text files by a JavaScript regular expression, shown as path:line: text. Use it rather than reading files one by one. ' +
    'Shows at most 100 lines; narrow with glob, such as *.py. Files over 1 MB and lines over 2000 characters are not searched, nor are dependencies, build results and logs unless named.',
  parameters: object(
    {
      pattern: text('Regular expression for one line, or plain text with literal: true.'),
      path: text('Folder or file to search. Left out: /mnt/user-data/workspace.'),
      glob: text(
        'Only files whose name fits, such as *.ts; with a slash, whose path below the folder fits, such as src/**/*.ts.',
      ),
      literal: flag('Take the pattern as plain text. Default: false.'),
      case_sensitive: flag('Tell upper from lower case. Default: false.'),
    },
    ['pattern'],
  ),
  placement: 'isolated',
  timeoutMs: 120_000,
})

/** Offered where commands may run. It has a limit of its own, `sandbox.bash_timeout_seconds`. */
export const BASH_TOOL: ToolSpec = {
  name: 'bash',
  description:
    'Run a bash command. It starts in /mnt/user-data/workspace, in a new shell each time: what you cd to or export does not last. ' +
    'Paths under /mnt/user-data work in the command itself; inside scripts and programs use paths relative to the workspace, where ../uploads and ../outputs are. ' +
    'You see stdout, then stderr, then "Exit Code: N" unless it is 0. Nobody can answer: there is no terminal and stdin is empty, so pass what is needed as options. ' +
    'A long job goes into the background with its output in a file (cmd > out.log 2>&1 &); it ends when you end.',
  parameters: object({ command: text('The command, at most 10000 characters; several lines are fine.') }, ['command']),
  placement: 'worker',
  timeoutMs: null,
  group: 'bash',
  module: null,
}

/** The built-in tools for files, in the order shown to models. */
export const FILE_TOOLS: readonly ToolSpec[] = [ls, readFile, writeFile, glob, grep]
