import { execFileSync } from 'node:child_process'
import { call, type ScriptedCall } from '../../src/testing/scripted-reply.ts'

export const bash = (command: string, id?: string): ScriptedCall => call('bash', { command }, id)
export const task = (prompt: string, id: string): ScriptedCall => call('task', { prompt }, id)
export const tasks = (prompt: string, count: number): readonly ScriptedCall[] =>
  Array.from({ length: count }, (_, i) => task(prompt, `t${i}`))

/** How many `sleep <seconds>` run, where `301` means 3010 to 3019. The dead that are not yet buried show no arguments. */
export const sleeping = (seconds: number): number =>
  execFileSync('ps', ['-A', '-o', 'args='], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => new RegExp(`^sleep ${seconds}${seconds < 1000 ? '\\d' : ''}\\s*$`).test(line)).length

/** What leaves its group is found on Linux alone. */
export const SETSID = process.platform === 'linux' ? 'setsid' : ''
