import { compare } from './compare.mjs'
import { byContestant } from './table.mjs'

/** Same number of requests with the same bodies, and a mock that had time to spare. */
export function fairness(data) {
  const all = compare(data)
  const { names, over, beyond, floor } = all
  const bodies = (name) => data.find((entry) => entry.name === name && entry.bodies)?.bodies
  const first = names.map(bodies).find(Boolean)
  const bytes = (name, figure) => (name === floor ? over(name, figure) : beyond(name, floor, figure))
  const sign = names.includes(floor) ? ', beyond raw’s' : ''
  return byContestant(all, [
    ['requests a run', (name) => over(name, (e) => e.requests)],
    ['bodies', (name) => (bodies(name) === first ? 'same' : 'DIFFER')],
    [`bytes, lead${sign}`, (name) => (sign ? bytes(name, (e) => e.lead_bytes) : over(name, (e) => e.lead_bytes))],
    [`bytes, subagent${sign}`, (name) => (sign ? bytes(name, (e) => e.sub_bytes) : over(name, (e) => e.sub_bytes))],
    ['mock busy', (name) => over(name, (e) => e.mock_busy)],
    ['faults', (name) => over(name, (e) => e.faults)],
  ])
}
