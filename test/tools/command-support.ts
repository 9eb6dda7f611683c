import { execFileSync } from 'node:child_process'
import type { ToolOutcome } from '../../src/contract/tools.ts'
import type { CommandOwner } from '../../src/sandbox/commands/owner.ts'
import { bash } from '../../src/tools/bash.ts'
import type { CommandContext, ToolContext } from '../../src/tools/context.ts'
import { type TempView, tempView } from '../sandbox/temp-view.ts'

export const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** Processes of a group that run: those that are dead and not yet buried do not count. */
export const living = (group: number | undefined): number =>
  execFileSync('ps', ['-eo', 'pgid=,stat='], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => new RegExp(`^\\s*${group}\\s+[^Z]`).test(line)).length

const kill = (pid: number): void => {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch {
    // Nobody is left.
  }
}

/** An agent's commands as one who owns them sees it; `end` is the agent's end. */
export interface FakeOwner extends CommandOwner {
  readonly pids: number[]
  readonly said: string[]
  readonly written: string[]
  end(): void
}

export const fakeOwner = (watches = true): FakeOwner => {
  const pids: number[] = []
  const said: string[] = []
  const written: string[] = []
  const closing = new Set<() => void>()
  return {
    pids,
    said,
    written,
    admit: async () => () => {},
    own(pid, start) {
      pids.push(pid)
      said.push('own')
      if (watches) setImmediate(start)
      return {
        stop: () => {
          said.push('stop')
          kill(pid)
        },
        led: () => void said.push('led'),
      }
    },
    atEnd(close) {
      closing.add(close)
      return () => void closing.delete(close)
    },
    wrote: (files) => void written.push(...files),
    end() {
      for (const close of closing) close()
      for (const pid of pids) kill(pid)
    },
  }
}

export interface Bench {
  readonly temp: TempView
  readonly owner: FakeOwner
  run(command: string, over?: Partial<CommandContext>, signal?: AbortSignal): Promise<ToolOutcome>
}

const HOME_FOLDER = 'project/.home'

/** A test with a workspace of its own, in which nothing that was started outlives it. */
export const atBench = (play: (bench: Bench) => Promise<void>) => async (): Promise<void> => {
  const temp = await tempView()
  const owner = fakeOwner()
  const commands: CommandContext = {
    env: { PATH: process.env['PATH'] ?? '', HOME: temp.base, LANG: 'C.UTF-8' },
    timeoutMs: 20_000,
    mark: 'TROUPE_OWNER=test.',
    secrets: [],
    aliases: [],
    owner,
    home: `${temp.base}/${HOME_FOLDER}`,
    ownOutputs: '.tool-results',
  }
  const run: Bench['run'] = (command, over = {}, signal = new AbortController().signal) => {
    const context: ToolContext = { view: temp.view, signal, commands: { ...commands, ...over } }
    return bash({ command }, context)
  }
  try {
    await play({ temp, owner, run })
  } finally {
    owner.end()
    await temp.remove()
  }
}
