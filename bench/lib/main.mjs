import { closestMatch } from 'leven'
import { openBench } from './bench.mjs'
import { isBuilt } from './contestants.mjs'
import { killAll } from './ipc.mjs'
import { load, machine } from './machine.mjs'
import { progressOf } from './progress.mjs'
import { questions } from './questions.mjs'
import { readResults, section, writeReport, writeResults } from './report.mjs'
import { HELP, readUsage, UsageError } from './usage.mjs'

const print = (text) => process.stdout.write(`${text}\n\n`)

/** Does what the command line asks; gives the exit status. */
export async function main(args, say) {
  let options
  try {
    options = readUsage(args, closestMatch)
  } catch (error) {
    if (!(error instanceof UsageError)) throw error
    say(`${error.message}\n\nnpm run bench -- --help says more`)
    return 2
  }
  if (options.help) {
    process.stdout.write(HELP)
    return 0
  }
  if (options.report) {
    await writeReport(readResults())
    return 0
  }
  if (!isBuilt()) {
    say('The package is not built: npm run build')
    return 1
  }
  return measure(options, ['npm run bench', ...(args.length > 0 ? ['--', ...args] : [])].join(' '), say)
}

async function measure(options, command, say) {
  // Read first: a file that cannot be read is better found now than after the measuring.
  const results = options.write ? readResults() : { questions: {} }
  const isStopped = stopOnInterrupt(say)
  let progress
  const bench = await openBench({ ...options, isStopped, progress: (...steps) => progress(...steps) })
  try {
    for (const [i, name] of options.names.entries()) {
      if (isStopped()) break
      progress = progressOf(say, name, options.quick ? 0 : await minutesFor(options.names.slice(i + 1)))
      const answer = await ask(bench, name, command)
      print(await section(name, answer))
      keep(results, name, answer)
      if (options.write) writeResults(results)
    }
  } finally {
    await bench.close()
  }
  if (options.write) {
    await writeReport(results)
    say('written: bench/RESULTS.md, bench/charts/, bench/results.json')
  }
  return isStopped() ? 130 : 0
}

const minutesFor = async (names) => {
  const each = await Promise.all(names.map(async (name) => (await questions.load(name)).minutes))
  return each.reduce((a, b) => a + b, 0)
}

/** Half an answer does not take the place of a whole one. */
function keep(results, name, answer) {
  if (answer.when.partial && results.questions[name]) return
  results.questions[name] = answer
}

/** One question's data, and what its figures mean nothing without. */
async function ask(bench, name, command) {
  const { run } = await questions.load(name)
  const date = new Date().toISOString()
  const start = load()
  bench.problems.length = 0
  const data = await run(bench)
  const { rounds, warmup } = bench
  const when = {
    date,
    command,
    rounds,
    warmup,
    load: { start, end: load() },
    machine: machine(),
    problems: [...bench.problems],
  }
  return { when: bench.isStopped() ? { ...when, partial: true } : when, data }
}

/** The first interrupt ends what is being measured and keeps the rest; the second ends at once. */
function stopOnInterrupt(say) {
  let stopped = false
  const stop = () => {
    killAll()
    if (stopped) process.exit(130)
    stopped = true
    say('interrupted: keeping what was measured')
  }
  process.on('SIGINT', stop)
  process.on('SIGTERM', stop)
  return () => stopped
}
