import { rewriteFile } from '../../src/sandbox/rewrite.ts'
import { createView } from '../../src/sandbox/view.ts'
import { writeWhole } from '../../src/sandbox/write.ts'

// Edits one file with others of its kind: counts its own line up to `rounds`, and then adds a line at the end.
const [, , userData = '', mine = '', rounds = ''] = process.argv
const view = createView({ userData, mounts: [] })
const { signal } = new AbortController()
const edit = (from: string, to: string): Promise<string> =>
  rewriteFile(view, 'f', (bytes) => Buffer.from(bytes.toString().replace(from, to)), { bytesMax: 1e9, signal })

for (let i = 0; i < Number(rounds); i++) {
  await edit(`\n${mine}=${i}\n`, `\n${mine}=${i + 1}\n`)
  if (i % 10 === 0) await writeWhole(view, 'f', Buffer.from(`${mine} added ${i}\n`), { append: true, signal })
}
