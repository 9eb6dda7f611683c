import { createTaskQueue } from './task-queue.ts'
import { type Assignment, isLead } from './tracked.ts'

/** Who gets a place on which thread, and who waits: leads and subagents have places of their own, runs take turns. */
export interface Admission {
  /** Starts the assignment or lets it wait. Returns its place in the queue, or 0 when it was started. */
  ask(assignment: Assignment): number
  /** Takes one that waits out of the queue. */
  withdraw(assignment: Assignment): void
  /** A place on this thread is free again. */
  leave(assignment: Assignment, thread: number): void
  /** Starts all that there are places for. */
  pump(): void
}

export interface AdmissionOptions {
  readonly perThread: number
  /** Threads that take new agents now. */
  threads(): readonly number[]
  hasSlot(): boolean
  /** Gives the assignment its place and starts it. */
  admit(assignment: Assignment, thread: number): void
}

/** Agents by thread. */
type Loads = Map<number, number>

const add = (loads: Loads, thread: number, change: 1 | -1): void => {
  const load = (loads.get(thread) ?? 0) + change
  if (load > 0) loads.set(thread, load)
  else loads.delete(thread)
}

const leastLoaded = (loads: Loads, threads: readonly number[], perThread: number): number | undefined => {
  const loadOf = (thread: number): number => loads.get(thread) ?? 0
  let best: number | undefined
  for (const thread of threads) {
    if (loadOf(thread) < perThread && (best === undefined || loadOf(thread) < loadOf(best))) best = thread
  }
  return best
}

export const createAdmission = ({ perThread, threads, hasSlot, admit }: AdmissionOptions): Admission => {
  const leadLoads: Loads = new Map()
  const taskLoads: Loads = new Map()
  const leads: Assignment[] = []
  const tasks = createTaskQueue()

  const loadsOf = (assignment: Assignment): Loads => (isLead(assignment) ? leadLoads : taskLoads)

  const tryStart = (assignment: Assignment): boolean => {
    const loads = loadsOf(assignment)
    const thread = hasSlot() ? leastLoaded(loads, threads(), perThread) : undefined
    if (thread === undefined) return false
    add(loads, thread, 1)
    admit(assignment, thread)
    return true
  }

  return {
    ask(assignment) {
      const mustWait = isLead(assignment) ? leads.length > 0 : tasks.size() > 0
      if (!mustWait && tryStart(assignment)) return 0
      return isLead(assignment) ? leads.push(assignment) : tasks.push(assignment)
    },
    withdraw(assignment) {
      if (!isLead(assignment)) tasks.remove(assignment)
      else if (leads.includes(assignment)) leads.splice(leads.indexOf(assignment), 1)
    },
    leave: (assignment, thread) => add(loadsOf(assignment), thread, -1),
    pump() {
      while (leads[0] && tryStart(leads[0])) leads.shift()
      for (let next = tasks.next(); next && tryStart(next); next = tasks.next()) tasks.served()
    },
  }
}
