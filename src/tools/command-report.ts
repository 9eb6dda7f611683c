import { constants } from 'node:os'
import type { CommandEnd } from '../sandbox/commands/run.ts'

/** As `timeout` of coreutils says it. */
const TIMED_OUT_CODE = 124

const duration = (ms: number): string => `${ms / 1000} second${ms === 1000 ? '' : 's'}`

const timeoutNotice = (ms: number): string =>
  `Command timed out after ${duration(ms)} and was terminated. ` +
  'A server or another long job goes into the background with its output in a file: your-command > server.log 2>&1 &'

/** As shells say it: a command that a signal ended has 128 and the signal's number. */
const codeOf = ({ code, signal, timedOut }: CommandEnd): number => {
  if (timedOut) return TIMED_OUT_CODE
  return code ?? 128 + (signal === null ? 0 : constants.signals[signal])
}

/** What a command came to, as the model reads it: stdout, stderr under its heading, and how it ended unless well. */
export const commandReport = (end: CommandEnd, timeoutMs: number): string => {
  const { stdout, stderr, signal, timedOut } = end
  const code = codeOf(end)
  const parts = [
    stdout,
    stdout !== '' && stderr !== '' ? `Std Error:\n${stderr}` : stderr,
    timedOut ? timeoutNotice(timeoutMs) : '',
    signal !== null && !timedOut ? `Killed by signal ${signal}` : '',
    code === 0 ? '' : `Exit Code: ${code}`,
  ]
  return parts.filter((part) => part !== '').join('\n') || '(no output)'
}
