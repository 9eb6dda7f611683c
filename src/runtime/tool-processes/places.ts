import type { Log } from '../../contract/api.ts'
import { messageOf } from '../../contract/errors.ts'
import type { ToolReply } from '../../contract/tool-frames.ts'
import type { Ending } from './endings.ts'
import { howItEnded } from './endings.ts'
import { createProcessGroups } from './groups.ts'
import type { LaunchOptions, Place } from './launch.ts'
import { launch } from './launch.ts'
import type { Clock } from './timer.ts'

/** After as many starts in a row that failed, those who wait are told. */
const START_TRIES = 2
const CLOSE_MS = 5000

export interface PlaceEvents {
  /** It is ready, or one that was to come is not: the waiting are to be looked at again. */
  onChange(): void
  onReply(place: Place, reply: ToolReply, body: string): void
  /** It ended by itself. */
  onEnded(place: Place, reason: string): void
  /** Processes do not start; there is no sense in waiting. */
  onUnable(reason: string): void
}

export interface Places {
  readonly all: ReadonlySet<Place>
  readonly replaced: number
  /** `false`: it could not. */
  start(): boolean
  /** Kills a process that is of no more use and starts another. */
  replace(place: Place): void
  close(): Promise<void>
}

export type PlacesOptions = Omit<LaunchOptions, 'groups'> & { readonly log: Log }

/** The processes of the pool: they are started, found dead, replaced and ended here; what they do is not decided here. */
export const createPlaces = (options: PlacesOptions, events: PlaceEvents): Places => {
  const { memoryMb, log, clock } = options
  const groups = createProcessGroups(log)
  const all = new Set<Place>()
  const leaving = new Set<Promise<void>>()
  let replaced = 0
  const tries = countStarts(log, events)
  let closed = false

  const remove = (place: Place): void => {
    all.delete(place)
    const { gone } = place.process
    leaving.add(gone)
    void gone.then(() => leaving.delete(gone))
    place.process.kill()
  }

  const onReady = (): void => {
    tries.worked()
    events.onChange()
  }
  const onReply: PlaceEvents['onReply'] = (place, reply, body) =>
    void (all.has(place) && events.onReply(place, reply, body))
  const onEnd = (place: Place, ending: Ending): void => {
    if (!all.has(place)) return
    const reason = howItEnded(ending, memoryMb)
    if (place.state === 'starting') {
      remove(place)
      tries.failed(reason)
    } else {
      log('warn', 'a tool process ended', { pid: place.process.pid, reason })
      events.onEnded(place, reason)
    }
  }

  const start = (): boolean => {
    try {
      all.add(launch({ ...options, groups }, { onReady, onReply, onEnd }))
      return true
    } catch (thrown) {
      tries.failed(messageOf(thrown))
      return false
    }
  }

  const replace = (place: Place): void => {
    if (!all.has(place)) return
    remove(place)
    if (closed) return
    replaced += 1
    // One that dies before its first call would do so for ever.
    if (place.used) start()
  }

  const close = async (): Promise<void> => {
    closed = true
    for (const place of all) remove(place)
    await allOrLate([...leaving], clock)
    await groups.close()
  }

  return {
    all,
    get replaced() {
      return replaced
    },
    start,
    replace,
    close,
  }
}

const countStarts = (log: Log, { onChange, onUnable }: PlaceEvents) => {
  let failures = 0
  return {
    worked: (): void => {
      failures = 0
    },
    failed: (reason: string): void => {
      log('error', 'a tool process did not start', { reason })
      failures = (failures + 1) % START_TRIES
      if (failures === 0) onUnable(reason)
      else onChange()
    },
  }
}

/** A process in an uninterruptible wait of the kernel must not hang the host's own end. */
const allOrLate = (gone: readonly Promise<void>[], clock: Clock): Promise<void> =>
  new Promise((resolve) => {
    const callOff = clock.after(CLOSE_MS, resolve)
    void Promise.all(gone).then(() => {
      callOff()
      resolve()
    })
  })
