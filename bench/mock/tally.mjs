import { now } from '../lib/ipc.mjs'

/** What the mock saw since the last reset. */
export class Tally {
  requests = { lead: 0, sub: 0 }
  bytes = { lead: 0, sub: 0 }
  first = null
  arrivals = []
  held = []
  /** Filled while bodies are checked. */
  shapes = new Set()
  samples = {}
  wrong = []
  #runs = new Map()
  #begun = now()
  #cpu = process.cpuUsage()

  arrived({ lead, results, run }, at, length) {
    const who = lead ? 'lead' : 'sub'
    this.requests[who]++
    this.bytes[who] += length
    this.first ??= at
    this.arrivals.push(at)
    if (lead && results) this.#of(run).back = at
    else if (!lead) this.#of(run).firstSub ??= at
    if (!lead && results === 1) this.#of(run).stepBack ??= at
  }

  sent({ lead, results, run }, at, { turns }) {
    if (!lead && !results) this.#of(run).stepSent ??= at
    if (lead && !results) this.#of(run).delegated = at
    else if (!lead && results >= turns) this.#of(run).lastEnd = at
  }

  #of(run) {
    if (!this.#runs.has(run)) this.#runs.set(run, {})
    return this.#runs.get(run)
  }

  report() {
    const { user, system } = process.cpuUsage(this.#cpu)
    const runs = [...this.#runs.values()]
    const between = (from, to) => runs.map((r) => r[to] - r[from]).filter((ms) => !Number.isNaN(ms))
    return {
      requests: this.requests,
      total: this.requests.lead + this.requests.sub,
      body_bytes: { lead: this.bytes.lead / this.requests.lead, sub: this.bytes.sub / this.requests.sub },
      cpu_ms: (user + system) / 1000,
      wall_ms: now() - this.#begun,
      /** Lead's answer sent → first request of its subagents; last subagent's answer sent → lead's next request. */
      delegate_ms: between('delegated', 'firstSub'),
      resume_ms: between('lastEnd', 'back'),
      /** First tool call sent → the same subagent's next request; tells a thing where a run has one subagent. */
      call_ms: between('stepSent', 'stepBack'),
      first: this.first,
      arrivals: this.arrivals,
      held: this.held,
      shapes: [...this.shapes].sort(),
      samples: this.samples,
      wrong: this.wrong,
    }
  }
}
