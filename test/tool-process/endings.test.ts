import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { type Ending, howItEnded, timedOut } from '../../src/runtime/tool-processes/endings.ts'

const quiet: Ending = { code: null, signal: null, outOfMemory: false, fault: null, stderr: '' }

const trace = `/app/x.mjs:3
throw new Error('no')
      ^

Error: no
    at file:///app/x.mjs:3:7
    at run (node:internal)

Node.js v20.20.2
`

const rows: readonly { readonly ending: Partial<Ending>; readonly says: string }[] = [
  { ending: { code: 0, stderr: 'bye' }, says: 'ended its process (exit code 0)' },
  { ending: { code: 3 }, says: 'ended its process (exit code 3)' },
  { ending: { code: 3, stderr: 'no licence\n\n' }, says: 'ended its process (exit code 3): no licence' },
  { ending: { code: 1, stderr: trace }, says: 'ended its process (exit code 1): Error: no' },
  { ending: { signal: 'SIGABRT' }, says: 'ended its process (signal SIGABRT)' },
  {
    ending: { signal: 'SIGABRT', stderr: '----- Native stack trace -----\n\n 1: 0xd3a3c0  [node]\n' },
    says: 'ended its process (signal SIGABRT)',
  },
  { ending: { signal: 'SIGABRT', outOfMemory: true, stderr: 'x' }, says: 'ran out of memory (limit 128 MB)' },
  { ending: { code: 0, outOfMemory: true }, says: 'ended its process (exit code 0)' },
  { ending: { signal: 'SIGKILL' }, says: 'was killed (signal SIGKILL), perhaps because the machine ran out of memory' },
  { ending: { signal: 'SIGKILL', fault: 'broke the line' }, says: 'broke the line' },
  {
    ending: { code: 2, stderr: 'w'.repeat(1000) },
    says: `ended its process (exit code 2): ${'w'.repeat(200)}`,
  },
]
for (const { ending, says } of rows) {
  test(`${JSON.stringify(ending).slice(0, 60)} → ${says.slice(0, 60)}`, () => {
    assert.is(howItEnded({ ...quiet, ...ending }, 128), says)
  })
}

test('a deadline is told in seconds', () => {
  assert.is(timedOut(300_000), 'timed out after 300 seconds and was stopped')
  assert.is(timedOut(500), 'timed out after 0.5 seconds and was stopped')
})

test.run()
