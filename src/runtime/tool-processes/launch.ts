import type { ToolReply } from '../../contract/tool-frames.ts'
import type { Ending } from './endings.ts'
import type { ProcessGroups } from './groups.ts'
import type { ToolProcess } from './process.ts'
import { startToolProcess } from './process.ts'
import type { Running } from './running.ts'
import type { Clock } from './timer.ts'

const BOOT_MS = 30_000

/** A process and what the pool knows of it. */
export interface Place {
  readonly process: ToolProcess
  state: 'starting' | 'idle' | 'running'
  running: Running | null
  /** Something of an earlier call went wrong in it: it gets no further one. */
  spoilt: boolean
  /** Whether it ever got a call. */
  used: boolean
  /** Modules it has imported. */
  readonly loaded: Set<string>
}

export interface LaunchOptions {
  readonly script: string
  readonly memoryMb: number
  readonly env: Readonly<Record<string, string>>
  readonly cwd: string
  readonly groups: ProcessGroups
  readonly clock: Clock
}

interface LaunchEvents {
  onReady(place: Place): void
  onReply(place: Place, reply: ToolReply, body: string): void
  onEnd(place: Place, ending: Ending): void
}

/** Starts a process, which is ready when it says so; one that never does is killed. Throws when it cannot be started. */
export const launch = (options: LaunchOptions, { onReady, onReply, onEnd }: LaunchEvents): Place => {
  const process = startToolProcess({
    ...options,
    onReply: (reply, body) => {
      if (reply.type !== 'ready') return onReply(place, reply, body)
      callOff()
      place.state = 'idle'
      process.release()
      onReady(place)
    },
    onEnd: (ending) => {
      callOff()
      onEnd(place, ending)
    },
  })
  // Somebody may wait for it; and it does not take long.
  process.hold()
  const callOff = options.clock.after(BOOT_MS, process.kill)
  const place: Place = { process, state: 'starting', running: null, spoilt: false, used: false, loaded: new Set() }
  return place
}
