import { createWriteStream, fstatSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { dispatch } from './dispatch.ts'
import type { Out, World } from './world.ts'

// Loaded when a command needs it: `--help` answers without the runtime.
const open: World['open'] = async (options, internals) =>
  (await import('./open-runtime.ts')).openRuntime(options, internals)

const packageFile = (name: string): Promise<string> => readFile(new URL(`../${name}`, import.meta.url), 'utf8')

const version = async (): Promise<string> => {
  const manifest: { readonly version: string } = JSON.parse(await packageFile('package.json'))
  return manifest.version
}

// Node's own stream for a file does not notice when a disk had room for a part only.
const stdout = (): Out => (fstatSync(1).isFile() ? createWriteStream('', { fd: 1, autoClose: false }) : process.stdout)

// A terminal or pipe that went away is no reason to fail; without a listener it would be.
process.stderr.on('error', () => {})

process.exitCode = await dispatch(process.argv.slice(2), await version(), {
  env: process.env,
  cwd: process.cwd(),
  stdin: process.stdin,
  stdout: stdout(),
  stderr: process.stderr,
  signals: process,
  open,
  packageFile,
  exit: (code) => process.exit(code),
})

// Everything is closed and written by now. Should a handle be left all the same, the process does not hang on it.
setTimeout(() => process.exit(), 1000).unref()
