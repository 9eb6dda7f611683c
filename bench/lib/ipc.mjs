// One protocol for every process of the benchmark: { id, op, arg } in, { id, value | error } back.
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { basename } from 'node:path'
import { fileURLToPath } from 'node:url'

const STOP_MS = 10_000

/** Milliseconds on the machine's monotonic clock, which all processes share. */
export const now = () => Number(process.hrtime.bigint()) / 1e6

/** Answers the parent's questions; the process ends with its parent. */
export function serve(handlers) {
  process.on('message', async ({ id, op, arg }) => {
    try {
      process.send({ id, value: await handlers[op](arg) })
    } catch (error) {
      process.send({ id, error: error?.stack ?? String(error) })
    }
  })
  // An interrupt at a terminal reaches every process; the parent says when this one ends.
  process.on('SIGINT', () => {})
  process.on('disconnect', () => process.exit())
}

/** Tracing and telemetry are off in every contestant, whatever the shell has set. */
const QUIET = {
  NODE_ENV: 'production',
  NODE_NO_WARNINGS: '1',
  LANGSMITH_TRACING: 'false',
  LANGSMITH_TRACING_V2: 'false',
  LANGCHAIN_TRACING_V2: 'false',
  OPENAI_AGENTS_DISABLE_TRACING: '1',
}

const alive = new Set()

/** Ends at once every process that was started here. */
export function killAll() {
  for (const child of alive) child.kill('SIGKILL')
}

/** Starts `file` in a process of its own. */
export function spawnChild(file) {
  const child = fork(file, {
    execArgv: ['--expose-gc'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: { ...process.env, ...QUIET },
    cwd: fileURLToPath(new URL('..', import.meta.url)),
  })
  alive.add(child)
  const name = basename(file)
  const waiting = new Map()
  let next = 0
  const settle = (id, outcome) => {
    waiting.get(id)?.(outcome)
    waiting.delete(id)
  }
  child.on('message', (message) => settle(message.id, message))
  const gone = (why) => {
    alive.delete(child)
    for (const id of waiting.keys()) settle(id, { error: `${name} ended early (${why})` })
  }
  child.on('exit', (code, signal) => gone(signal ?? code))
  child.on('error', ({ message }) => gone(message))

  const ask = async (op, arg, patienceMs = 900_000) => {
    if (!child.connected) throw new Error(`${name} is gone`)
    const id = ++next
    const answer = new Promise((resolve) => waiting.set(id, resolve))
    const timer = setTimeout(settle, patienceMs, id, { error: `no answer to "${op}" within ${patienceMs} ms` })
    child.send({ id, op, arg })
    const { value, error } = await answer
    clearTimeout(timer)
    if (error) throw new Error(error)
    return value
  }

  const kill = () => child.kill('SIGKILL')

  const stop = async () => {
    if (child.pid === undefined || child.exitCode !== null || child.signalCode !== null) return
    const exit = once(child, 'exit')
    const timer = setTimeout(kill, STOP_MS)
    child.disconnect()
    await exit
    clearTimeout(timer)
  }
  return { ask, kill, stop }
}
