import { compare } from '../lib/compare.mjs'
import { byContestant } from '../lib/table.mjs'

export const question = 'What becomes of a tool that never comes back?'
export const minutes = 2

const CONTESTANTS = ['troupe-isolated', 'ai', 'openai-agents', 'langchain', 'deepagents']
const TOOL_SECONDS = 1
const GRACE_MS = 200
const PATIENCE_MS = 5000
const WORK = {
  tool: 'spin',
  tasks: 1,
  turns: 1,
  toolSeconds: TOOL_SECONDS,
  runtime: { grace_ms: GRACE_MS },
}

export async function run(bench) {
  return { data: await bench.interleave(CONTESTANTS, ({ contestant }) => once(bench, contestant), 2) }
}

const once = ({ contestant, mock, wording }, name) =>
  contestant(name, WORK, async (child) => {
    await wording()
    await mock.ask('reset', WORK)
    const measured = await child.ask('measure', { runs: 1 }, PATIENCE_MS).catch(() => undefined)
    if (measured === undefined) {
      child.kill()
      return { hung: true }
    }
    const [call] = (await mock.ask('stats')).call_ms
    return {
      late: call - TOOL_SECONDS * 1000 - GRACE_MS,
      stall_max: measured.stall.max,
      faults: measured.failures.length,
    }
  })

export function show({ data }) {
  const all = compare(data)
  const hung = (name) => data.some((entry) => entry.name === name && entry.hung)
  return `A tool that loops for ever, with a deadline of ${TOOL_SECONDS} s where there can be one and ${GRACE_MS} ms of grace; a process that says nothing for ${PATIENCE_MS / 1000} s is killed.\n\n${byContestant(
    all,
    [
      ['the process', (name) => (hung(name) ? 'never answered again' : 'goes on')],
      ['call settled after deadline + grace, ms', (name) => all.over(name, (e) => e.late)],
      ['longest stall of the host meanwhile, ms', (name) => all.over(name, (e) => e.stall_max)],
      ['runs that failed', (name) => (hung(name) ? 'all' : all.over(name, (e) => e.faults))],
    ],
  )}`
}

export function chart({ data }) {
  const { names, over } = compare(data)
  return {
    kind: 'bars',
    x: 'call settled after deadline + grace, ms',
    absent: 'never',
    rows: names.map((name) => ({ name, ...over(name, (e) => e.late) })),
  }
}

export const short = ({ data }) => [
  ['endless loop, call settled after deadline + grace, ms', '–', compare(data).over('troupe-isolated', (e) => e.late)],
]
