import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createWriter } from '../../../src/runtime/conversations/writer.ts'
import { wait } from '../../support/runtime-scene.ts'

test('the last line is written once what follows each write is done, and nothing comes after it', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'troupe-'))
  try {
    const file = join(folder, 't', 'thread.jsonl')
    const found: string[] = []
    const faults: unknown[] = []
    const writer = createWriter({
      file,
      isNew: true,
      onFault: (why) => void faults.push(why),
      async afterWrite() {
        await wait(5)
        found.push(readFileSync(file, 'utf8'))
        return true
      },
    })
    writer.add('summary\n')
    const closed = writer.close('end\n')
    writer.add('late\n')
    await closed
    writer.add('later\n')
    await wait(5)
    assert.equal(found, ['summary\n', 'summary\nend\n'])
    assert.is(readFileSync(file, 'utf8'), 'summary\nend\n')
    assert.equal(faults, [])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})

test.run()
