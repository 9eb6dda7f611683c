import { createHash } from 'node:crypto'
import { median } from './stats.mjs'

const sum = (values) => values.reduce((a, b) => a + b, 0)

/** Bodies are the same where roles, calls, results and names of tools are, whether an answer streams or not. */
const bodiesOf = ({ shapes }) =>
  createHash('sha1').update(shapes.join('\n').replaceAll('| whole |', '| streamed |')).digest('hex').slice(0, 8)

/** What is kept of one measurement: plain numbers, in milliseconds, MB and bytes; `requests` is a run's. */
export const toFigures = ({ walls, own_cpu_ms, below_cpu_ms, below, stall, control, polled, mock, ...rest }) => ({
  cpu: (own_cpu_ms + below_cpu_ms) / mock.total,
  below_cpu: below_cpu_ms / mock.total,
  below_count: below.count,
  below_mb: below.rss_mb,
  wall: median(walls),
  grown_mb: rest.grown_mb,
  stall: stall.p999,
  stall_max: stall.max,
  excess: stall.p999 - control.p999,
  excess_max: stall.max - control.max,
  delegate: median(mock.delegate_ms),
  resume: median(mock.resume_ms),
  ...healthOf(polled),
  requests: mock.total / (rest.runs * walls.length),
  lead_bytes: mock.body_bytes.lead,
  sub_bytes: mock.body_bytes.sub,
  bodies: bodiesOf(rest.checked),
  mock_busy: mock.cpu_ms / sum(walls),
  faults: [...rest.failures, ...rest.checked.wrong].length,
  ...(rest.failures.length > 0 && { first_fault: rest.failures[0].slice(0, 200) }),
})

const healthOf = ([own, control]) =>
  own && {
    health_p50: own.p50,
    health_p99: own.p99,
    health_max: own.max,
    health_control_p99: control.p99,
    health_asked: own.count,
    health_failed: own.failed,
  }
