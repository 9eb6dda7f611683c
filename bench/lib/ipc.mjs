// One protocol for every process of the benchmark: { id, op, arg } in, { id, value | error } back.
import { fork } from 'node:child_process'
import { once } from 'node:events'

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
  process.on('disconnect', () => process.exit())
}

/** Starts `file` in a process of its own. */
export function spawnChild(file, args = []) {
  const child = fork(file, args, {
    execArgv: ['--expose-gc'],
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    env: { ...process.env, NODE_ENV: 'production' },
  })
  const waiting = new Map()
  let next = 0
  const settle = (id, outcome) => {
    waiting.get(id)?.(outcome)
    waiting.delete(id)
  }
  child.on('message', (message) => settle(message.id, message))
  child.on('exit', (code, signal) => {
    for (const id of waiting.keys()) settle(id, { error: `${file} ended early (${signal ?? code})` })
  })

  const ask = async (op, arg, patienceMs = 180_000) => {
    if (!child.connected) throw new Error(`${file} is gone`)
    const id = ++next
    const answer = new Promise((resolve) => waiting.set(id, resolve))
    const timer = setTimeout(settle, patienceMs, id, { error: `${file}: no answer to "${op}" within ${patienceMs} ms` })
    child.send({ id, op, arg })
    const { value, error } = await answer
    clearTimeout(timer)
    if (error) throw new Error(error)
    return value
  }

  const stop = async () => {
    if (child.exitCode !== null || child.signalCode !== null) return
    const exit = once(child, 'exit')
    const timer = setTimeout(() => child.kill('SIGKILL'), 10_000)
    child.disconnect()
    await exit
    clearTimeout(timer)
  }
  return { ask, stop }
}
