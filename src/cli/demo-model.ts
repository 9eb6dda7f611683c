import { type ChildProcess, fork } from 'node:child_process'

/** What the demo's model is called wherever it is named. */
export const DEMO_MODEL = 'scripted demo model, not a language model'

export interface DemoModel {
  readonly baseUrl: string
  stop(): void
}

const START_MS = 10_000

const readyUrl = (child: ChildProcess): Promise<string> =>
  new Promise((resolve, reject) => {
    const late = setTimeout(() => reject(new Error('The demo model did not start within 10 seconds.')), START_MS)
    child.once('error', reject)
    child.once('exit', (code, signal) =>
      reject(new Error(`The demo model ended at once (${signal ?? `status ${code}`}).`)),
    )
    child.once('message', (message: { readonly url: string }) => resolve(message.url))
    child.once('message', () => clearTimeout(late))
    child.once('exit', () => clearTimeout(late))
  })

/** Starts the demo's model in a process of its own, which ends with this one however that ends. */
export const startDemoModel = async (entry: URL = new URL('./demo/server.js', import.meta.url)): Promise<DemoModel> => {
  const child = fork(entry, [], { execArgv: [], env: {}, stdio: ['ignore', 'ignore', 'ignore', 'ipc'] })
  // The channel closes with this process, which ends the child; this only makes it quicker.
  const stop = () => {
    process.off('exit', stop)
    child.kill('SIGKILL')
  }
  process.on('exit', stop)
  try {
    const baseUrl = await readyUrl(child)
    child.unref()
    child.channel?.unref()
    return { baseUrl, stop }
  } catch (error) {
    stop()
    throw error
  }
}
