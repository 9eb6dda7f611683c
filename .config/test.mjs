// node .config/test.mjs [--lane fast|threads|all] [--node PATH] [part of a file name]...
import { mkdtempSync, rmSync } from 'node:fs'
import { delimiter, dirname, join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { formatMessages } from 'esbuild'
import { build } from './build.mjs'
import { root } from './bundles.mjs'
import { compile } from './compile-tests.mjs'
import { cache, filesBelow } from './outputs.mjs'
import { killAll, runTest } from './run-test.mjs'

// Tests on real threads measure time, so they run alone.
const lanes = {
  fast: { holds: (file) => !file.startsWith('test/threads/'), atOnce: 2, deadline: 60_000 },
  threads: { holds: (file) => file.startsWith('test/threads/'), atOnce: 1, deadline: 180_000 },
}

const { values: options, positionals: filters } = parseArgs({
  allowPositionals: true,
  options: { lane: { type: 'string', default: 'all' }, node: { type: 'string', default: process.execPath } },
})
const chosen = options.lane === 'all' ? Object.values(lanes) : [lanes[options.lane]]
if (chosen[0] === undefined) throw new Error(`--lane ${options.lane}: known are fast, threads, all`)
const node = resolve(options.node)

const all = filesBelow(join(root, 'test')).map((path) => `test/${path}`)
const isChosen = (file) => filters.length === 0 || filters.some((part) => file.includes(part))
const out = mkdtempSync(join(cache(), 'test-'))
// What the developer has set for a model of their own must not reach a test.
const unset = ['OPENAI_API_KEY', 'OPENAI_BASE_URL', 'OPENAI_MODEL', 'TROUPE_CONFIG', 'TROUPE_HOME']
const env = {
  ...Object.fromEntries(unset.map((name) => [name, undefined])),
  TROUPE_TEST_OUT: out,
  PATH: `${dirname(node)}${delimiter}${process.env.PATH}`,
}
const totals = { passed: 0, failed: 0 }

const report = (file, { passed, failed, skipped, fault, output }, seconds) => {
  totals.passed += passed
  totals.failed += failed
  const notes = [`${passed} passed`, failed > 0 && `${failed} failed`, skipped > 0 && `${skipped} skipped`, fault]
  if (failed > 0) console.log(output)
  console.log(`${failed > 0 ? 'FAIL' : 'ok  '} ${file}  ${notes.filter(Boolean).join(', ')}  (${seconds.toFixed(1)} s)`)
}

const broken = async ({ errors, message }) => ({
  passed: 0,
  failed: 1,
  skipped: 0,
  fault: 'does not compile',
  output: errors === undefined ? message : (await formatMessages(errors, { kind: 'error' })).join('\n'),
})

const runOne = async (file, deadline) => {
  const started = performance.now()
  const result = await compile(file, out).then((compiled) => runTest(compiled, { node, env, deadline }), broken)
  report(file, result, (performance.now() - started) / 1000)
}

const runLane = async ({ holds, atOnce, deadline }) => {
  const queue = all.filter((file) => file.endsWith('.test.ts') && holds(file) && isChosen(file))
  const worker = async () => {
    for (let file = queue.shift(); file !== undefined; file = queue.shift()) await runOne(file, deadline)
  }
  await Promise.all(Array.from({ length: atOnce }, worker))
}

for (const [signal, status] of [
  ['SIGINT', 130],
  ['SIGTERM', 143],
]) {
  process.once(signal, () => {
    killAll()
    rmSync(out, { recursive: true, force: true })
    process.exit(status)
  })
}

try {
  const errors = await build({ ifStale: true }).catch((crash) => [crash.stack])
  if (errors.length > 0) report('the build', await broken({ message: errors.join('\n') }), 0)
  // Entries of threads and child processes that tests start; see test/support/compiled.ts.
  await Promise.all(
    all
      .filter((file) => file.endsWith('.entry.ts'))
      .map((file) => compile(file, out).catch(async (failure) => report(file, await broken(failure), 0))),
  )
  for (const lane of chosen) await runLane(lane)
} finally {
  rmSync(out, { recursive: true, force: true })
}

if (totals.passed + totals.failed === 0) {
  console.log('FAIL no test file was found')
  totals.failed = 1
}
console.log(`${totals.passed} passed, ${totals.failed} failed`)
process.exitCode = totals.failed === 0 ? 0 : 1
