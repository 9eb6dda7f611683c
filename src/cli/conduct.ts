import { join } from 'node:path'
import type { Run, RunOptions, Runtime, RuntimeOptions } from '../contract/api.ts'
import { messageOf } from '../contract/errors.ts'
import type { RunResult } from '../contract/result.ts'
import { answerText } from './answer.ts'
import { configNotes } from './config-notes.ts'
import { exitOfStatus } from './exit.ts'
import { explainError } from './explain.ts'
import { fileLines, filesOf } from './files.ts'
import { jsonLine } from './json.ts'
import { logNotes } from './log-notes.ts'
import { homeOf, projectMount } from './mount.ts'
import { type Output, openOutput } from './output.ts'
import { progressFor } from './progress-for.ts'
import { stopOnInterrupt } from './stopping.ts'
import { summary } from './summary.ts'
import type { Progress } from './view/progress.ts'
import { cleanVisible } from './view/text.ts'
import type { World } from './world.ts'

export interface Job {
  readonly runtime: RuntimeOptions
  readonly run: RunOptions
  readonly prompt: string
  readonly json: boolean
  /** Whether all that the runtime logs is shown. */
  readonly verbose: boolean
  /** The conversation is gone afterwards, so there is no point in naming it. */
  readonly throwaway?: boolean
}

const homeFor = ({ runtime }: Job, { cwd, env }: World): string => runtime.home ?? homeOf(cwd, env)

const openHere = (job: Job, { note }: Progress, world: World): Promise<Runtime> => {
  const { cwd, env, open } = world
  const home = homeFor(job, world)
  const log = job.verbose ? configNotes(note, logNotes(note)) : configNotes(note)
  return open({ env, log, ...job.runtime, home }, { extraMounts: [projectMount(cwd, home)] })
}

const follow = async (run: Run, progress: Progress, json: Output | null): Promise<void> => {
  for await (const event of run) {
    progress.event(event)
    // Nobody reads any more: leaving the loop cancels the run.
    if (json && !(await json.write(jsonLine(event)))) return
  }
}

interface Ended {
  readonly job: Job
  readonly result: RunResult
  /** When it began. */
  readonly since: number
}

/** The end of a run for a person: what went wrong and what it took on stderr, the answer on stdout. */
const sayEnd = async (
  { job, result, since }: Ended,
  progress: Progress,
  output: Output,
  world: World,
): Promise<void> => {
  const answered = result.status === 'completed' || result.status === 'needs_input'
  const text = cleanVisible(result.text).trim()
  if (!answered && text !== '' && !job.json) progress.note(`the lead's last words: ${text}`)
  if (result.error && result.status !== 'cancelled') for (const line of explainError(result.error)) progress.note(line)
  if (job.json) return
  const outputs = join(filesOf(homeFor(job, world), result.thread_id), 'outputs')
  const files = job.throwaway ? [] : await fileLines(outputs, since, world.cwd)
  for (const line of summary(result, !job.throwaway, files)) progress.note(line)
  if (!answered) return
  // A blank line where progress and answer stand on one terminal.
  const gap = world.stdout.isTTY ? '\n' : ''
  await output.write(gap + (await answerText(result.text, world)))
}

/** Waits until the answer is out. Throws with the way to it when it could not be written. */
const deliver = async (output: Output, { throwaway }: Job, threadId: string): Promise<void> => {
  try {
    await output.flush()
  } catch (error) {
    if (throwaway) throw error
    throw new Error(`${messageOf(error)} The conversation is kept: troupe threads ${threadId} shows it.`, {
      cause: error,
    })
  }
}

/** Opens a runtime, runs one prompt, shows it, and closes. Resolves with the exit status. */
export const conduct = async (job: Job, world: World): Promise<number> => {
  const output = openOutput(world.stdout)
  const progress = progressFor(world, job.json)
  // Before the runtime opens: the clock of a disk may be some milliseconds behind.
  const since = Date.now()
  const stopping = stopOnInterrupt(world, progress)
  try {
    const runtime = await openHere(job, progress, world)
    let result: RunResult
    try {
      const run = runtime.run(job.prompt, job.run)
      stopping.begins(run)
      await follow(run, progress, job.json ? output : null)
      result = await run.result
      progress.end()
      await sayEnd({ job, result, since }, progress, output, world)
    } finally {
      await runtime.close()
    }
    await deliver(output, job, result.thread_id)
    return exitOfStatus(result.status)
  } finally {
    progress.end()
    stopping.off()
  }
}
