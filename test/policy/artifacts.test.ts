import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { artifactsOf } from '../../src/policy/artifacts.ts'

const outputs = '/mnt/user-data/outputs'

const rows: readonly [path: string, type: string][] = [
  [`${outputs}/report.md`, 'markdown'],
  [`${outputs}/notes.txt`, 'text'],
  [`${outputs}/deep/er/main.rs`, 'code'],
  [`${outputs}/table.CSV`, 'data'],
  [`${outputs}/chart.PnG`, 'image'],
  [`${outputs}/paper.pdf`, 'document'],
  [`${outputs}/all.tar.gz`, 'archive'],
  [`${outputs}/Makefile`, 'other'],
  [`${outputs}/py`, 'other'],
  [`${outputs}/v1.md/LICENSE`, 'other'],
  [`${outputs}/a.`, 'other'],
  [`${outputs}/a.constructor`, 'other'],
]

for (const [path, type] of rows) {
  test(`${path} is ${type}`, () => assert.equal(artifactsOf([path]), [{ path, type }]))
}

test('what lies elsewhere is no artifact', () => {
  assert.equal(
    artifactsOf(['/mnt/user-data/workspace/a.md', '/mnt/user-data/outputs2/a.md', outputs, 'outputs/a.md']),
    [],
  )
})

test('a file written twice is listed once, in the order of the first writing', () => {
  const [a, b] = [`${outputs}/a.md`, `${outputs}/b.md`]
  assert.equal(
    artifactsOf([b, a, b]).map(({ path }) => path),
    [b, a],
  )
})

test.run()
