// npm run bench [-- NAME…] [--rounds N] [--warmup N] [--only CONTESTANT]… [--burst] [--quick]
import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseArgs } from 'node:util'
import { openBench } from './lib/bench.mjs'
import { isBuilt } from './lib/contestants.mjs'
import { load, machine } from './lib/machine.mjs'

const NAMES = ['load', 'cpu-tool', 'isolated', 'cancel', 'startup']

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    rounds: { type: 'string' },
    warmup: { type: 'string' },
    only: { type: 'string', multiple: true, default: [] },
    burst: { type: 'boolean', default: false },
    quick: { type: 'boolean', default: false },
  },
})
const names = positionals.length ? positionals : NAMES
const unknown = names.find((name) => !NAMES.includes(name))
if (unknown) {
  process.stderr.write(`No question "${unknown}"; there are ${NAMES.join(', ')}\n`)
  process.exit(2)
}

const print = (text) => process.stdout.write(`${text}\n\n`)
const say = (text) => process.stderr.write(`${text}\n`)

install()
if (!isBuilt()) print('The package is not built (npm run build), so Troupe is left out.')
const options = {
  rounds: Number(values.rounds ?? (values.quick ? 1 : 5)),
  warmup: Number(values.warmup ?? (values.quick ? 10 : 60)),
  quick: values.quick,
  burst: values.burst,
  only: values.only,
}
const data = { machine: machine(`npm run bench -- ${process.argv.slice(2).join(' ')}`), options, questions: {} }
print(
  Object.entries(data.machine)
    .map(([key, value]) => `${key}: ${value}`)
    .join('\n'),
)
print(
  `${options.rounds} rounds, interleaved; each contestant in a process of its own, warmed there by ${options.warmup} runs × 3. ` +
    'Medians (min–max over rounds); ratios within one round.',
)

const bench = await openBench({ ...options, say })
try {
  for (const name of names) {
    const { question, run, show } = await import(`./questions/${name}.mjs`)
    print(`## ${name}: ${question}`)
    data.questions[name] = await run(bench)
    print(show(data.questions[name]))
    print(`load average now: ${load()}`)
  }
} finally {
  await bench.close()
}
for (const problem of bench.problems) print(`problem: ${problem}`)

/** The peers are the benchmark's own dependencies; they are fetched when they are missing. */
function install() {
  const cwd = fileURLToPath(new URL('.', import.meta.url))
  if (existsSync(`${cwd}node_modules/.package-lock.json`)) return
  say('installing what only the benchmark needs')
  const { status } = spawnSync('npm', ['ci', '--ignore-scripts', '--no-audit', '--no-fund'], {
    cwd,
    stdio: ['ignore', 2, 2],
  })
  if (status) process.exit(status)
}
