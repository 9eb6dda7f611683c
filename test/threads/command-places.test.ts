import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { call, callTools, say } from '../../src/testing/scripted-reply.ts'
import { type SceneOptions, scene, until, within } from '../support/runtime-scene.ts'
import { inTurns, type Part } from '../support/runtime-script.ts'

const bash = (command: string) => call('bash', { command })
const MANY = { maxConcurrentSubagents: 50, maxTotalSubagents: 50 }

/** A lead that hands the prompt to so many subagents and tells what they said. */
const leadOf = (prompt: string, count: number): Part =>
  inTurns(callTools(...Array.from({ length: count }, (_, i) => call('task', { prompt }, `t${i}`))), ({ results }) =>
    say(results.join('|')),
  )

const withPlaces = (commands: number, options: SceneOptions, play: Parameters<typeof scene>[1], seconds = 60) =>
  scene(
    {
      ms: 30_000,
      ...options,
      config: { sandbox: { allow_host_bash: true, bash_timeout_seconds: seconds }, runtime: { threads: 2, commands } },
    },
    play,
  )

test(
  'no more commands run at once than have places, and the time of one begins when it starts',
  withPlaces(
    2,
    {
      parts: {
        lead: leadOf('sub', 8),
        // Each tells how many run together with it.
        sub: inTurns(callTools(bash('touch r.$$; ls r.* | wc -l; sleep 1; rm r.$$')), ({ results }) =>
          say(results.join()),
        ),
      },
    },
    async ({ runtime }) => {
      const run = runtime.run('lead', MANY)
      await until(5000, 'six wait', () => runtime.stats().commands.waiting === 6)
      assert.is(runtime.stats().commands.running, 2)
      const { delegations } = await run.result
      const together = delegations.map(({ result }) => result)
      assert.is(together.length, 8)
      // Three seconds are the time of each; the last has waited for as long.
      assert.ok(
        together.every((count) => count === '1' || count === '2'),
        together.join(),
      )
      assert.equal(runtime.stats().commands, { running: 0, waiting: 0 })
    },
    3,
  ),
)

test(
  'a run with one command does not wait for all of a run with many',
  withPlaces(
    1,
    {
      parts: {
        many: leadOf('each', 12),
        each: inTurns(callTools(bash('sleep 0.3')), say('done')),
        one: inTurns(callTools(bash('echo mine')), ({ results }) => say(results.join())),
      },
    },
    async ({ runtime }) => {
      const many = runtime.run('many', MANY)
      await until(5000, 'eleven wait', () => runtime.stats().commands.waiting === 11)
      assert.is((await runtime.run('one').result).text, 'mine')
      assert.ok(runtime.stats().commands.waiting > 5)
      many.cancel()
      await many.result
      assert.equal(runtime.stats().commands, { running: 0, waiting: 0 })
    },
  ),
)

test(
  'a command that is cancelled while it waits never starts',
  withPlaces(
    1,
    {
      parts: {
        holder: inTurns(callTools(bash('touch held; sleep 30')), say('held')),
        waiter: inTurns(callTools(bash('touch started')), say('never')),
        after: inTurns(callTools(bash('ls')), ({ results }) => say(results.join())),
      },
    },
    async ({ runtime, home }) => {
      const thread = { threadId: 'mine' }
      const workspace = join(home, 'threads/other/user-data/workspace')
      const holder = runtime.run('holder', { threadId: 'other' })
      await until(5000, 'the place is held', () => existsSync(join(workspace, 'held')))
      const waiter = runtime.run('waiter', thread)
      await until(5000, 'it waits', () => runtime.stats().commands.waiting === 1)
      waiter.cancel()
      assert.is((await within(2000, 'it settles', waiter.result)).status, 'cancelled')
      await until(2000, 'it has left the line', () => runtime.stats().commands.waiting === 0)
      holder.cancel()
      await holder.result
      assert.is((await runtime.run('after', thread).result).text, '(no output)')
    },
  ),
)

test.run()
