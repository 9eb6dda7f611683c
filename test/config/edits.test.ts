import { renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { watchEdits } from '../../src/config/edits.ts'
import { inFolder } from './support.ts'

/** Long after whatever was written in this test. */
const LATER = 60_000

interface Scene {
  readonly path: string
  readonly edits: ReturnType<typeof watchEdits>
  /** What happens the next time somebody waits. */
  meanwhile: () => void
  /** Milliseconds waited in all. */
  waited: number
  /** How far the clock is past that of the file system. */
  ahead: number
}

const scene = (since: number, play: (scene: Scene) => Promise<void>) => () =>
  inFolder(async (folder) => {
    const path = join(folder, 'config.yaml')
    writeFileSync(path, 'one')
    utimesSync(path, 1, 1)
    const made = { path, meanwhile: () => {}, waited: 0, ahead: LATER }
    const edits = watchEdits(path, {
      since: Date.now() + since,
      now: () => Date.now() + made.ahead + made.waited,
      async wait(ms) {
        made.waited += ms
        const { meanwhile } = made
        made.meanwhile = () => {}
        meanwhile()
      },
    })
    await play(Object.assign(made, { edits }))
  })

test(
  'a file that nobody touched since it was read is not read again',
  scene(LATER, async ({ edits }) => assert.not.ok(edits.pending())),
)

test(
  'a file that was written while it was read the first time is read again',
  scene(0, async ({ edits }) => {
    assert.ok(edits.pending())
    await edits.settle()
    assert.not.ok(edits.pending())
  }),
)

const changes: readonly (readonly [string, (path: string) => void])[] = [
  ['written over', (path) => writeFileSync(path, 'other')],
  ['written over by as many letters', (path) => writeFileSync(path, 'two')],
  // CAT-095
  [
    'written over by as many letters with its time set back',
    (path) => {
      writeFileSync(path, 'two')
      utimesSync(path, 1, 1)
    },
  ],
  [
    'replaced by another',
    (path) => {
      writeFileSync(`${path}.new`, 'one')
      renameSync(`${path}.new`, path)
    },
  ],
  ['taken away', (path) => rmSync(path)],
]

for (const [name, change] of changes) {
  test(
    `sees a file that was ${name}, until it is read`,
    scene(LATER, async ({ path, edits }) => {
      change(path)
      assert.equal([edits.pending(), edits.pending()], [true, true])
      await edits.settle()
      assert.not.ok(edits.pending())
    }),
  )
}

test(
  'waits until nobody has written for a while',
  scene(LATER, async (made) => {
    writeFileSync(made.path, '')
    made.ahead = 0
    made.meanwhile = () => writeFileSync(made.path, 'all of it')
    await made.edits.settle()
    assert.ok(made.waited >= 50, `waited ${made.waited} ms`)
    assert.not.ok(made.edits.pending())
  }),
)

test('does not wait for ever where somebody keeps writing, and looks again then', () =>
  inFolder(async (folder) => {
    const path = join(folder, 'config.yaml')
    const edits = watchEdits(path, {
      since: Date.now(),
      now: Date.now,
      async wait(ms) {
        await new Promise((resolve) => setTimeout(resolve, ms))
        writeFileSync(path, String(Math.random()))
      },
    })
    await edits.settle()
    assert.ok(edits.pending())
  }))

test(
  'waits for a file that was taken away to come back',
  scene(LATER, async (made) => {
    rmSync(made.path)
    made.meanwhile = () => writeFileSync(made.path, 'two')
    await made.edits.settle()
    assert.not.ok(made.edits.pending())
    writeFileSync(made.path, 'three')
    assert.ok(made.edits.pending())
  }),
)

test(
  'a file that is dated ahead of the clock is read at once',
  scene(LATER, async (made) => {
    writeFileSync(made.path, 'two')
    made.ahead = -LATER
    await made.edits.settle()
    assert.is(made.waited, 0)
    assert.not.ok(made.edits.pending())
  }),
)

test.run()
