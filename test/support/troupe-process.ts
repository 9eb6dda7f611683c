import { spawn } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { built } from './built.ts'

const env = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(OPENAI_|TROUPE_|NO_COLOR|TERM$)/.test(name)),
)

/** The built command line, run as a user would in a folder of theirs: without a key, and with its streams in pipes. */
export const troupe = (folder: string, ...args: readonly string[]) => troupeWith({}, folder, ...args)

export const troupeWith = (more: Readonly<Record<string, string>>, folder: string, ...args: readonly string[]) => {
  const child = spawn(process.execPath, [fileURLToPath(built('cli.js')), ...args], {
    cwd: folder,
    env: { ...env, ...more },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const io = { child, out: '', err: '', code: null as number | null }
  child.stdout.on('data', (data) => (io.out += data))
  child.stderr.on('data', (data) => (io.err += data))
  const ended = new Promise<typeof io>((resolve) => child.on('close', (code) => resolve(Object.assign(io, { code }))))
  return { io, child, ended }
}
