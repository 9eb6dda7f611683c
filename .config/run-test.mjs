import { spawn } from 'node:child_process'
import { setTimeout as wait } from 'node:timers/promises'
import { stripVTControlCharacters } from 'node:util'
import { root } from './bundles.mjs'

const running = new Set()

/** Kills a test file with all it started, unless what it started left its process group. */
const killGroup = (pid) => {
  try {
    process.kill(-pid, 'SIGKILL')
  } catch (error) {
    // Nobody is left; macOS says EPERM while the last ones are not yet reaped.
    if (error.code !== 'ESRCH' && error.code !== 'EPERM') throw error
  }
}

export const killAll = () => {
  for (const pid of running) killGroup(pid)
}

const lastNumber = (text, label) => {
  const found = [...text.matchAll(new RegExp(`^  ${label}: +(\\d+)$`, 'gm'))].at(-1)
  return found === undefined ? null : Number(found[1])
}

/** Reads uvu's own summary. Whatever ends without a clean one counts as a failure of the file. */
const verdict = (output, { code, signal, late, left }) => {
  const text = stripVTControlCharacters(output)
  const total = lastNumber(text, 'Total') ?? 0
  const passed = lastNumber(text, 'Passed') ?? 0
  const failed = total - passed
  let fault = null
  if (late) fault = `still running after ${late / 1000} s: killed`
  else if (total === 0) fault = 'no test ran'
  else if (left) fault = 'left a process behind that holds its output'
  else if (failed === 0 && code !== 0) fault = `ended with ${signal ?? `exit status ${code}`} though its tests passed`
  return { passed, failed: failed + (fault === null ? 0 : 1), skipped: lastNumber(text, 'Skipped') ?? 0, fault }
}

/** Runs one compiled test file in a process group of its own. */
export const runTest = async (compiled, { node, env, deadline }) => {
  const child = spawn(node, ['--enable-source-maps', compiled], {
    cwd: root,
    env: { ...process.env, ...env },
    detached: true,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let output = ''
  const collect = (stream) => stream.setEncoding('utf8').on('data', (text) => (output += text))
  collect(child.stdout)
  collect(child.stderr)
  const closed = new Promise((resolve) => child.once('close', resolve))
  const ended = new Promise((resolve) => {
    child.once('error', (error) => resolve({ code: null, signal: error.message }))
    child.once('exit', (code, signal) => resolve({ code, signal }))
  })
  if (child.pid === undefined) return { ...verdict('', {}), output: (await ended).signal }

  running.add(child.pid)
  let late = 0
  const timer = setTimeout(() => {
    late = deadline
    killGroup(child.pid)
  }, deadline)
  const end = await ended
  clearTimeout(timer)
  killGroup(child.pid)
  running.delete(child.pid)
  // A process that left the group keeps the pipes open, perhaps for ever.
  const left = await Promise.race([closed.then(() => false), wait(2000, true, { ref: false })])
  child.stdout.destroy()
  child.stderr.destroy()
  return { output, ...verdict(output, { ...end, late, left }) }
}
