import { type Assignment, isLead } from './assignment.ts'

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
  waiting(): number
}

export interface AdmissionOptions {
  readonly perThread: number
  /** Threads that take new agents now. */
  threads(): readonly number[]
  hasSlot(): boolean
  /** Gives the assignment its place and starts it. */
  admit(assignment: Assignment, thread: number): void
}

type Loads = Map<number, number>

export const createAdmission = ({ perThread, threads, hasSlot, admit }: AdmissionOptions): Admission => {
  const loads: { readonly lead: Loads; readonly subagent: Loads } = { lead: new Map(), subagent: new Map() }
  const leads: Assignment[] = []
  /** Waiting subagents by run; the run at the front is served next and then goes to the back. */
  const tasks = new Map<string, Assignment[]>()

  const loadsOf = (assignment: Assignment): Loads => (isLead(assignment) ? loads.lead : loads.subagent)

  const leastLoaded = (counts: Loads): number | undefined => {
    let best: number | undefined
    for (const thread of threads()) {
      const load = counts.get(thread) ?? 0
      if (load < perThread && (best === undefined || load < (counts.get(best) ?? 0))) best = thread
    }
    return best
  }

  const tryStart = (assignment: Assignment): boolean => {
    const counts = loadsOf(assignment)
    const thread = hasSlot() ? leastLoaded(counts) : undefined
    if (thread === undefined) return false
    counts.set(thread, (counts.get(thread) ?? 0) + 1)
    admit(assignment, thread)
    return true
  }

  const waiting = (): number => {
    let count = leads.length
    for (const queue of tasks.values()) count += queue.length
    return count
  }

  const enqueue = (assignment: Assignment): void => {
    if (isLead(assignment)) {
      leads.push(assignment)
      return
    }
    const queue = tasks.get(assignment.run.id)
    if (queue) queue.push(assignment)
    else tasks.set(assignment.run.id, [assignment])
  }

  const pumpLeads = (): void => {
    while (leads[0] && tryStart(leads[0])) leads.shift()
  }

  const pumpTasks = (): void => {
    for (let next = tasks.entries().next(); !next.done; next = tasks.entries().next()) {
      const [runId, queue] = next.value
      const first = queue[0]
      if (first && !tryStart(first)) return
      queue.shift()
      tasks.delete(runId)
      if (queue.length > 0) tasks.set(runId, queue)
    }
  }

  return {
    ask(assignment) {
      const mustWait = isLead(assignment) ? leads.length > 0 : tasks.size > 0
      if (!mustWait && tryStart(assignment)) return 0
      enqueue(assignment)
      return isLead(assignment) ? leads.length : waiting() - leads.length
    },
    withdraw(assignment) {
      const queue = isLead(assignment) ? leads : (tasks.get(assignment.run.id) ?? [])
      const index = queue.indexOf(assignment)
      if (index >= 0) queue.splice(index, 1)
      if (queue !== leads && queue.length === 0) tasks.delete(assignment.run.id)
    },
    leave(assignment, thread) {
      const counts = loadsOf(assignment)
      const load = (counts.get(thread) ?? 0) - 1
      if (load > 0) counts.set(thread, load)
      else counts.delete(thread)
    },
    pump() {
      pumpLeads()
      pumpTasks()
    },
    waiting,
  }
}
