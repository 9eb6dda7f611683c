import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { encodeFrame, frameReader, type ToolReply } from '../../src/contract/tool-frames.ts'

const stray = (detail: string): ToolReply => ({ type: 'stray', tool: null, detail })
const sent = [
  { header: stray('one'), body: '' },
  { header: stray('line\nfeed “é”'), body: 'a body\nof lines\n' },
  { header: stray('long'), body: 'é'.repeat(50_000) },
]
const bytes = Buffer.concat(sent.map(({ header, body }) => encodeFrame(header, body)))

for (const size of [1, 2, 3, 7, 64, 4096, bytes.length]) {
  test(`frames come whole out of chunks of ${size}`, () => {
    const read = frameReader<ToolReply>(1_000_000)
    const got = []
    for (let at = 0; at < bytes.length; at += size) got.push(...read(bytes.subarray(at, at + size)))
    assert.equal(got, sent)
  })
}

const broken = [
  { name: 'text', chunk: Buffer.from('this is no frame') },
  { name: 'a frame over the limit', chunk: encodeFrame(stray('x'.repeat(200))) },
  { name: 'a frame without a header', chunk: Buffer.from([0, 0, 0, 2, 123, 125]) },
  { name: 'an empty frame', chunk: Buffer.from([0, 0, 0, 0]) },
  { name: 'a header that is no JSON', chunk: Buffer.from([0, 0, 0, 2, 123, 10]) },
]
for (const { name, chunk } of broken) {
  test(`${name} is refused`, () => {
    assert.throws(() => frameReader(100)(chunk))
  })
}

test.run()
