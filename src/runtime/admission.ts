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

  const threadFor = (assignment: Assignment): number | undefined =>
    hasSlot() ? leastLoaded(loadsOf(assignment), threads(), perThread) : undefined

  const start = (assignment: Assignment, thread: number): void => {
    add(loadsOf(assignment), thread, 1)
    if (!isLead(assignment)) tasks.took(assignment)
    admit(assignment, thread)
  }

  const startLeads = (): void => {
    for (let next = leads[0]; next; next = leads[0]) {
      const thread = threadFor(next)
      if (thread === undefined) return
      leads.shift()
      start(next, thread)
    }
  }

  const startTasks = (): void => {
    for (let next = tasks.next(); next; next = tasks.next()) {
      const thread = threadFor(next)
      if (thread === undefined) return
      // Out of the queue first: with this place its run may have used up all of its own.
      tasks.served()
      start(next, thread)
    }
  }

  return {
    ask(assignment) {
      const mayStart = isLead(assignment) ? leads.length === 0 : tasks.mayStart(assignment)
      const thread = mayStart ? threadFor(assignment) : undefined
      if (thread === undefined) return isLead(assignment) ? leads.push(assignment) : tasks.push(assignment)
      start(assignment, thread)
      return 0
    },
    withdraw(assignment) {
      if (!isLead(assignment)) tasks.remove(assignment)
      else if (leads.includes(assignment)) leads.splice(leads.indexOf(assignment), 1)
    },
    leave(assignment, thread) {
      add(loadsOf(assignment), thread, -1)
      if (!isLead(assignment)) tasks.left(assignment)
    },
    pump() {
      startLeads()
      startTasks()
    },
  }
}
