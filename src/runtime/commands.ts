import type { Log } from '../contract/api.ts'
import type { GroupNews } from '../contract/envelopes.ts'
import { commandMark } from '../policy/command-environment.ts'
import type { Clock } from './clock.ts'
import { createGroupEnder, isGroupAlive } from './group-ender.ts'
import { createHunt } from './hunt.ts'
import { createProcessGroups, killGroup } from './tool-processes/groups.ts'
import type { Assignment } from './tracked.ts'

/** Between being asked to end and being killed. */
const GRACE_MS = 500
/** How often it is looked whether what runs in the background is still there: its number may become somebody else's. */
const LOOK_MS = 1000

/** The process groups of the commands that agents run. They end with their agent, whatever dies. */
export interface Commands {
  /** What a thread says of a group; `assignment` is the live agent whose it is, if there is one. */
  receive(thread: number, assignment: Assignment | null, news: GroupNews): void
  /** Ends all that an ended agent has left. */
  end(assignment: Assignment): void
  /** Waits until every group is gone. */
  close(): Promise<void>
}

export interface CommandsOptions {
  readonly clock: Clock
  readonly log: Log
  readonly graceMs: number
  /** What every command of this runtime has in its environment. */
  readonly mark: string
  /** Tells a thread that a group is watched, so that its command may start. */
  watched(thread: number, pid: number): void
}

export const createCommands = ({ clock, log, graceMs, mark, watched }: CommandsOptions): Commands => {
  const groups = createProcessGroups(log, mark)
  const hunt = createHunt(groups.hunt)
  const onGone = (pid: number): void => {
    groups.forget(pid)
    hunt.gone(pid)
  }
  const ender = createGroupEnder({ clock, graceMs: Math.min(graceMs, GRACE_MS), onGone })
  /** Groups without the process that led them, and whose they are. */
  const background = new Map<number, Assignment>()
  /** Agents that have run a command. */
  const hands = new WeakSet<Assignment>()
  let stopLooking: (() => void) | null = null

  const forget = (pid: number, assignment: Assignment): void => {
    assignment.groups.delete(pid)
    background.delete(pid)
    groups.forget(pid)
  }

  const look = (): void => {
    for (const [pid, assignment] of background) if (!isGroupAlive(pid)) forget(pid, assignment)
    if (background.size > 0) return
    stopLooking?.()
    stopLooking = null
  }

  const begun = (thread: number, assignment: Assignment | null, pid: number): void => {
    // Its shell still waits, so there is nothing that would have to be asked first.
    if (assignment === null) {
      killGroup(pid)
      return
    }
    groups.watch(pid)
    assignment.groups.add(pid)
    hands.add(assignment)
    watched(thread, pid)
  }

  const led = (assignment: Assignment, pid: number): void => {
    if (!isGroupAlive(pid)) {
      forget(pid, assignment)
      return
    }
    background.set(pid, assignment)
    stopLooking ??= clock.every(LOOK_MS, look)
  }

  return {
    receive(thread, assignment, { pid, what }) {
      if (what === 'begun') begun(thread, assignment, pid)
      // What is not among them has been ended already.
      else if (!assignment?.groups.has(pid)) return
      else if (what === 'led') led(assignment, pid)
      else ender.end(pid)
    },
    end(assignment) {
      const { ref, groups: owned } = assignment
      if (!ref || !hands.has(assignment)) return
      hunt.after([...owned], commandMark(mark, ref))
      for (const pid of owned) {
        background.delete(pid)
        ender.end(pid)
      }
      owned.clear()
    },
    async close() {
      await ender.idle()
      stopLooking?.()
      await groups.close()
    },
  }
}
