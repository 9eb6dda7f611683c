import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'uvu'
import { startScriptedModel } from '../../src/testing/scripted-model.ts'
import { callTools, say } from '../../src/testing/scripted-reply.ts'
import { bash, SETSID, sleeping, tasks } from '../support/commands.ts'
import { compiled } from '../support/compiled.ts'
import { until, wait, within } from '../support/runtime-scene.ts'
import { cast, inTurns, type Part } from '../support/runtime-script.ts'

const ends: readonly (readonly [how: string, what: string])[] = [
  ['killed', 'is killed'],
  ['exits', 'exits'],
  ['throws', 'dies of an exception'],
]

for (const [how, what] of ends) {
  test(`a host that ${what} takes the commands of its agents along within a second`, async () => {
    const home = mkdtempSync(join(tmpdir(), 'troupe-'))
    const parts = {
      lead: inTurns(callTools(...tasks('sub', 8)), say('done')),
      sub: inTurns(callTools(bash(`${SETSID} sleep 3080 & sleep 3081 & sleep 3082`)), say('never')),
    }
    const model = await startScriptedModel({ reply: cast(parts) })
    const args = ['--enable-source-maps', compiled('threads/bash-host.entry.ts').pathname, model.url, home, how]
    const host = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] })
    const gone = new Promise((resolve) => host.once('exit', resolve))
    try {
      await until(10_000, 'the commands run', () => sleeping(3082) === 8)
      host.kill(how === 'killed' ? 'SIGKILL' : 'SIGUSR2')
      await within(5000, 'the host ends', gone)
      await until(1000, 'the processes are gone', () => sleeping(308) === 0)
    } finally {
      host.kill('SIGKILL')
      await model.close()
      rmSync(home, { recursive: true, force: true })
    }
  })
}

test('a host that is killed while its agents start commands leaves none', async () => {
  const home = mkdtempSync(join(tmpdir(), 'troupe-'))
  const again: Part = ({ turn }) => callTools(bash(`sleep 0.0${turn % 10}; sleep 3091 & true`))
  const model = await startScriptedModel({
    reply: cast({ lead: inTurns(callTools(...tasks('sub', 8)), say('done')), sub: again }),
  })
  const args = [compiled('threads/bash-host.entry.ts').pathname, model.url, home]
  try {
    for (let round = 0; round < 10; round++) {
      const host = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'ignore'] })
      const gone = new Promise((resolve) => host.once('exit', resolve))
      await until(10_000, 'a command runs', () => sleeping(3091) > 0)
      await wait(round * 17)
      host.kill('SIGKILL')
      await gone
      await until(1000, `nothing is left of round ${round}`, () => sleeping(3091) === 0)
    }
  } finally {
    await model.close()
    rmSync(home, { recursive: true, force: true })
  }
})

test.run()
