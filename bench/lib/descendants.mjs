// CPU and memory of the processes below this one (Troupe's tool processes), from /proc; zeros where there is none.
import { readdirSync, readFileSync } from 'node:fs'

const TICK_MS = 10

const read = (path) => {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

function tasks(pid) {
  try {
    return readdirSync(`/proc/${pid}/task`)
  } catch {
    return []
  }
}

const childrenOf = (pid) =>
  tasks(pid).flatMap((task) => read(`/proc/${pid}/task/${task}/children`).split(' ').filter(Boolean))

/** Sums over all descendants; of those that ended, only what their parent reaped is known. */
export function descendants(pid = process.pid) {
  const sum = { count: 0, cpu_ms: 0, rss_mb: 0 }
  for (const child of childrenOf(pid)) {
    const stat = read(`/proc/${child}/stat`)
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    const below = descendants(child)
    const rss = Number(/VmRSS:\s+(\d+)/.exec(read(`/proc/${child}/status`))?.[1] ?? 0)
    sum.count += 1 + below.count
    sum.cpu_ms += (Number(fields[11] ?? 0) + Number(fields[12] ?? 0)) * TICK_MS + below.cpu_ms
    sum.rss_mb += rss / 1024 + below.rss_mb
  }
  return sum
}
