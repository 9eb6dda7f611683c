import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { OutputSettings } from '../../src/contract/settings.ts'
import { becomesFile, cutMiddle, fallback, inline, preview } from '../../src/policy/tool-output.ts'

const SETTINGS: OutputSettings = {
  enabled: true,
  externalizeMinChars: 12_000,
  previewHeadChars: 2000,
  previewTailChars: 1000,
  fallbackMaxChars: 30_000,
  fallbackHeadChars: 8000,
  fallbackTailChars: 3000,
  storageSubdir: '.tool-results',
  exemptTools: ['read_file'],
  toolOverrides: { bash: 20_000, never: 0 },
}

const files: readonly (readonly [tool: string, chars: number, is: boolean, over?: Partial<OutputSettings>])[] = [
  ['t', 12_000, false],
  ['t', 12_001, true],
  ['read_file', 1_000_000, false],
  ['bash', 20_000, false],
  ['bash', 20_001, true],
  ['never', 1_000_000, false],
  ['t', 1_000_000, false, { externalizeMinChars: 0 }],
  ['bash', 20_001, true, { externalizeMinChars: 0 }],
  ['t', 1_000_000, false, { enabled: false }],
  ['bash', 1_000_000, false, { enabled: false }],
  // A name that every object has.
  ['constructor', 12_001, true],
]

for (const [tool, chars, is, over] of files) {
  test(`${chars} characters of ${tool} ${is ? 'become a file' : 'stay'} ${JSON.stringify(over ?? {})}`, () =>
    assert.is(becomesFile({ ...SETTINGS, ...over }, tool, chars), is))
}

const PATH = '/mnt/user-data/outputs/.tool-results/t-0123456789ab.txt'

test('a preview has the beginning, the end, both lengths and the path', () => {
  const text = `HEAD${'x'.repeat(400_000)}TAIL`
  const shown = preview(text, PATH, SETTINGS)
  assert.ok(shown.startsWith('HEADx'))
  assert.ok(shown.endsWith('xTAIL'))
  assert.match(shown, `[397008 of 400008 chars left out here. The whole is in ${PATH} (`)
  assert.ok(shown.length < 3500)
})

test('a preview without head or tail is the mark', () => {
  const shown = preview('x'.repeat(20_000), PATH, { ...SETTINGS, previewHeadChars: 0, previewTailChars: 0 })
  assert.match(shown, /^\n\.\.\. \[20000 of 20000 chars/)
  assert.not.match(shown, /x{3}/)
})

test('what a preview would show whole is left alone', () => {
  const text = 'x'.repeat(2999)
  assert.is(preview(text, PATH, SETTINGS), text)
})

test('no cut splits a character', () => {
  for (let lead = 0; lead < 4; lead++) {
    const text = 'a'.repeat(lead) + '🦌'.repeat(30_000)
    for (const shown of [preview(text, PATH, SETTINGS), fallback(text, 't', SETTINGS), cutMiddle(text, 201)]) {
      assert.ok(shown.isWellFormed())
    }
  }
})

test('the middle is cut with a mark, never over the limit', () => {
  const text = `HEAD${'x'.repeat(50_000)}TAIL`
  const shown = cutMiddle(text, 20_000)
  assert.ok(shown.length <= 20_000 && shown.length > 19_900)
  assert.ok(shown.startsWith('HEAD') && shown.endsWith('TAIL'))
  const skipped = Number(/\[middle truncated: (\d+) chars skipped\]/.exec(shown)?.[1])
  const mark = `\n... [middle truncated: ${skipped} chars skipped] ...\n`
  assert.is(shown.length - mark.length + skipped, text.length)
})

const cuts: readonly (readonly [chars: number, limit: number, length: number, marked: boolean])[] = [
  [100, 100, 100, false],
  // Source: CAT-075. The mark does not fit.
  [100, 20, 20, false],
  [1000, 0, 1000, false],
  [1000, 200, 199, true],
]

for (const [chars, limit, length, marked] of cuts) {
  test(`${chars} characters cut to ${limit} are ${length}, ${marked ? 'with' : 'without'} a mark`, () => {
    const shown = cutMiddle('x'.repeat(chars), limit)
    assert.is(shown.length, length)
    assert.is(shown.includes('truncated'), marked)
  })
}

test('only bash has a limit of its own, which an override can raise', () => {
  const text = 'x'.repeat(50_000)
  assert.is(inline(text, 't', SETTINGS), text)
  assert.ok(inline(text, 'bash', SETTINGS).length <= 20_000)
  assert.is(inline(text, 'bash', { ...SETTINGS, toolOverrides: { bash: 60_000 } }), text)
})

test('what could not be written is cut, and says so', () => {
  const text = `HEAD${'x'.repeat(50_000)}TAIL`
  const shown = fallback(text, 't', SETTINGS)
  assert.ok(shown.startsWith('HEAD') && shown.endsWith('TAIL'))
  assert.match(shown, '[39008 of 50008 chars left out. They could not be written to a file]')
  assert.ok(shown.length < 11_200)
  assert.is(fallback('x'.repeat(30_000), 't', SETTINGS).length, 30_000)
  assert.is(fallback(text, 't', { ...SETTINGS, fallbackMaxChars: 0 }), text)
  assert.ok(fallback(text, 't', { ...SETTINGS, fallbackMaxChars: 500 }).length <= 500)
})

test.run()
