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

const classes: Readonly<Record<string, string>> = {
  markdown: 'md markdown',
  text: 'txt log',
  code: 'ts tsx js mjs py go rs java c cpp sh sql html css',
  data: 'json jsonl csv tsv yaml yml toml xml parquet',
  image: 'png jpg jpeg gif svg webp',
  document: 'pdf docx pptx xlsx odt',
  archive: 'zip tar gz tgz bz2 xz 7z',
  other: 'exe bin woff2 unknown',
}

for (const [type, extensions] of Object.entries(classes)) {
  test(`${extensions} are ${type}`, () => {
    for (const extension of extensions.split(' '))
      assert.is(artifactsOf([`${outputs}/a.${extension}`])[0]?.type, type, extension)
  })
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
