import { execFileSync } from 'node:child_process'
import type { ToolOutcome } from '../../src/contract/tools.ts'
import type { ToolCall } from '../../src/runtime/tool-processes/jobs.ts'
import {
  createToolProcesses,
  type ToolProcesses,
  type ToolProcessesOptions,
} from '../../src/runtime/tool-processes/pool.ts'
import { built, project } from '../support/built.ts'

export const fixtures = new URL('test/tool-process/fixtures/', project)
export const moduleUrl = (file: string): string => new URL(file, fixtures).href

const caller = { thread_id: 't1', run_id: 'r1', task_id: null, agent: 'lead', workspace: '/tmp' }

export const openPool = (options: Partial<ToolProcessesOptions> = {}): ToolProcesses =>
  createToolProcesses({
    url: built('tool-process.js'),
    count: 2,
    memoryMb: 256,
    graceMs: 300,
    env: process.env,
    cwd: process.cwd(),
    ...options,
  })

/** Opens a pool for one test and closes it whatever happens. */
export const withPool =
  (options: Partial<ToolProcessesOptions>, body: (pool: ToolProcesses) => Promise<void>, ms = 20_000) =>
  async (): Promise<void> => {
    const pool = openPool(options)
    try {
      await within(ms, body(pool))
    } finally {
      await within(6000, pool.close())
    }
  }

export const within = async <T>(ms: number, work: Promise<T>): Promise<T> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not done within ${ms} ms`)), ms)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

let lastKey = 0

type Ask = Partial<Omit<ToolCall, 'args'>> & { readonly args?: object; readonly from?: string }

/** One call of a fixture's tool, as plain data. */
export const toolCall = (name: string, { args = {}, from = 'faults.mjs', ...rest }: Ask = {}): ToolCall => ({
  key: ++lastKey,
  runId: 'r1',
  tool: name,
  target: { kind: 'module', url: moduleUrl(from), export: name },
  args: JSON.stringify(args),
  caller,
  view: { userData: '/nowhere', mounts: [] },
  timeoutMs: 15_000,
  onDone: () => {},
  ...rest,
})

export const run = (pool: ToolProcesses, name: string, ask: Ask = {}): Promise<ToolOutcome> =>
  new Promise((onDone) => pool.call(toolCall(name, { ...ask, onDone })))

export const until = async (ms: number, what: string, holds: () => boolean): Promise<void> => {
  for (const end = performance.now() + ms; !holds(); ) {
    if (performance.now() > end) throw new Error(`not within ${ms} ms: ${what}`)
    await new Promise((resolve) => setTimeout(resolve, 10))
  }
}

/** Processes of the machine whose command line has this in it. */
export const processesWith = (text: string): readonly string[] =>
  execFileSync('ps', ['-A', '-o', 'pid=,stat=,args='], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes(text) && !/^\s*\d+\s+Z/.test(line))

/** Command lines of what this process has started and not yet buried. */
export const ownChildren = (): readonly string[] =>
  execFileSync('ps', ['-A', '-o', 'ppid=,args='], { encoding: 'utf8' })
    .split('\n')
    .map((line) => /^\s*(\d+)\s+(.*)$/.exec(line))
    .filter((parts) => Number(parts?.[1]) === process.pid)
    .map((parts) => parts?.[2] ?? '')
    .filter((args) => !args.startsWith('ps -A'))
