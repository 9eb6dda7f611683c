import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { project } from '../support/built.ts'

/** What a stranger's project may be: strict, every declaration checked, nothing known of Node. */
const compilerOptions = {
  strict: true,
  module: 'NodeNext',
  target: 'ES2022',
  types: [],
  skipLibCheck: false,
  noEmit: true,
}

const program = `
import { createRuntime, type RunResult } from 'troupe'
import { agentMachine } from 'troupe/machines'
await using runtime = await createRuntime({ config: './config.yaml' })
await using run = runtime.run('hi', { signal: new AbortController().signal })
for await (const { type } of run) if (type === 'run_finished') break
export const result: RunResult = await run.result
export const waiting: number = runtime.stats().tool_processes.waiting
export const { id } = agentMachine
`

test('the declarations compile in a strict project that has no types of Node', () => {
  const root = fileURLToPath(project)
  const folder = mkdtempSync(join(tmpdir(), 'troupe-types-'))
  const write = (name: string, text: string): void => writeFileSync(join(folder, name), text)
  try {
    mkdirSync(join(folder, 'node_modules'))
    symlinkSync(root, join(folder, 'node_modules/troupe'))
    write('package.json', '{"type":"module"}')
    write('tsconfig.json', JSON.stringify({ compilerOptions, files: ['main.ts'] }))
    write('main.ts', program)
    const tsc = join(root, 'node_modules/typescript/bin/tsc')
    let said = ''
    try {
      execFileSync(process.execPath, [tsc, '-p', folder], { encoding: 'utf8', stdio: 'pipe', timeout: 50_000 })
    } catch (thrown) {
      said = String((thrown as { stdout?: unknown }).stdout)
    }
    assert.is(said, '')
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test.run()
