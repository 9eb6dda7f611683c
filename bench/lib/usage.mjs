import { parseArgs } from 'node:util'
import { contestantNames } from './contestants.mjs'
import { questions } from './questions.mjs'

export const HELP = `npm run bench [-- QUESTION... | report] [options]

Measures Troupe beside other runtimes and a hand-written loop, and writes bench/RESULTS.md,
bench/charts/ and bench/results.json: all of it, or the sections of the questions named.
Builds the package, and at the first call installs what only the benchmark needs.

  QUESTION          ${questions.names.join(', ')}
  report            draws tables and charts again from bench/results.json; measures nothing

  --rounds N        at most so many rounds (5; a question may do with fewer)
  --warmup N        runs that warm a contestant before it is measured (120)
  --only NAME       this contestant alone; may be given again
                    ${contestantNames.join(', ')}
  --burst           all runs of a load begin in one turn of the event loop instead of one each
  --quick           one round of a small load, printed and not written: does it run at all?
  --write           writes also what --quick or --only measured
  --help

  npm run bench                                    # everything, over an hour on two shared cores
  npm run bench -- load --rounds 3                 # one question; its section is written anew
  npm run bench -- cancel --only troupe --only ai  # some contestants; printed only
  npm run bench -- --quick
`

const OPTIONS = {
  rounds: { type: 'string' },
  warmup: { type: 'string' },
  only: { type: 'string', multiple: true, default: [] },
  burst: { type: 'boolean', default: false },
  quick: { type: 'boolean', default: false },
  write: { type: 'boolean', default: false },
  help: { type: 'boolean', short: 'h', default: false },
}

export class UsageError extends Error {}

/** What the command line asks for. The nearest name comes with a wrong one; `closest` finds it. */
export function readUsage(args, closest) {
  const { values, positionals } = parse(args)
  const known = (kind, names) => (name) => {
    if (names.includes(name)) return name
    throw new UsageError(`No ${kind} "${name}"; did you mean "${closest(name, names)}"? There are ${names.join(', ')}`)
  }
  const asked = positionals.map(known('question', [...questions.names, 'report']))
  if (asked.includes('report') && asked.length > 1) throw new UsageError('"report" stands alone')
  const only = values.only.map(known('contestant', contestantNames))
  return {
    help: values.help,
    report: asked.includes('report'),
    names: asked.length > 0 ? questions.names.filter((name) => asked.includes(name)) : questions.names,
    rounds: wholeNumber('rounds', values.rounds, values.quick ? 1 : 5),
    warmup: wholeNumber('warmup', values.warmup, values.quick ? 10 : 120),
    only,
    burst: values.burst,
    quick: values.quick,
    write: values.write || !(values.quick || only.length > 0),
  }
}

function parse(args) {
  try {
    return parseArgs({ args, allowPositionals: true, options: OPTIONS })
  } catch (error) {
    throw new UsageError(error.message)
  }
}

function wholeNumber(name, text, otherwise) {
  if (text === undefined) return otherwise
  if (/^[1-9]\d{0,4}$/.test(text)) return Number(text)
  throw new UsageError(`--${name} ${text}: a whole number from 1`)
}
