import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { startScriptedModel } from '../../src/testing/scripted-model.ts'
import { compiled } from './compiled.ts'
import { within } from './runtime-scene.ts'
import { cast, type Part } from './runtime-script.ts'

interface Told {
  /** What the host found out about itself. */
  // biome-ignore lint/suspicious/noExplicitAny: each host finds something else
  readonly found: any
  readonly stdout: string
  readonly stderr: string
  readonly code: number | null
  /** Milliseconds from its last word to its end. */
  readonly lingered: number
}

interface HostOptions {
  /** The compiled entry, below test/. It is given `how`, the address of a scripted model, and a home of its own. */
  readonly entry: string
  readonly parts: Readonly<Record<string, Part>>
  /** Milliseconds it may take. */
  readonly ms: number
}

/** Runs one of the hosts of an entry in a process of its own, to its own end. It says what it found on its last line. */
export const hostThat = async (how: string, { entry, parts, ms }: HostOptions): Promise<Told> => {
  const home = mkdtempSync(join(tmpdir(), 'troupe-'))
  const model = await startScriptedModel({ reply: cast(parts) })
  const script = fileURLToPath(compiled(entry))
  const child = spawn(process.execPath, [script, how, model.url, home], { stdio: ['ignore', 'pipe', 'pipe'] })
  let [stdout, stderr, spokeAt] = ['', '', 0]
  child.stdout.setEncoding('utf8').on('data', (text) => {
    stdout += text
    spokeAt = performance.now()
  })
  child.stderr.setEncoding('utf8').on('data', (text) => {
    stderr += text
  })
  try {
    const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
    const code = await within(ms, `the host that ${how} ends by itself; it said ${stdout} ${stderr}`, ended)
    const found = JSON.parse(stdout.trim().split('\n').at(-1) ?? '')
    return { found, stdout, stderr, code, lingered: performance.now() - spokeAt }
  } finally {
    child.kill('SIGKILL')
    await model.close()
    rmSync(home, { recursive: true, force: true })
  }
}
