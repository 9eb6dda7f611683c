import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { renderMarkdown } from '../../src/cli/view/markdown/render.ts'
import { styleFor } from '../../src/cli/view/style.ts'
import { widthOf } from '../../src/cli/view/text.ts'

const render = (text: string, { width = 40, env = { NO_COLOR: '1' } as Record<string, string>, links = false } = {}) =>
  renderMarkdown(text, { width, style: styleFor(env), links })

const ESC = '\u001b'

const plain: readonly { name: string; text: string; width?: number; lines: readonly string[] }[] = [
  {
    name: 'a paragraph is wrapped at words',
    text: 'one two three four',
    width: 9,
    lines: ['one two', 'three', 'four'],
  },
  { name: 'single line feeds are spaces, two spaces before one keep it', text: 'a\nb  \nc', lines: ['a b', 'c'] },
  { name: 'a word that is longer than the line is cut', text: 'abcdefgh ij', width: 5, lines: ['abcde', 'fgh', 'ij'] },
  {
    name: 'wide characters break anywhere',
    text: '日本語のドキュメント',
    width: 9,
    lines: ['日本語の', 'ドキュメ', 'ント'],
  },
  { name: 'a full stop does not begin a line', text: '日本語の。本', width: 9, lines: ['日本語', 'の。本'] },
  { name: 'an opening bracket does not end a line', text: '日本語「本', width: 9, lines: ['日本語', '「本'] },
  { name: 'a cluster is not cut', text: '👩‍👩‍👧👩‍👩‍👧👩‍👩‍👧', width: 4, lines: ['👩‍👩‍👧👩‍👩‍👧', '👩‍👩‍👧'] },
  { name: 'without colours a heading keeps its mark', text: '## Title\ntext', lines: ['## Title', '', 'text'] },
  {
    name: 'without colours emphasis and code keep theirs',
    text: '**a** *b* ~~c~~ `d`',
    lines: ['**a** *b* ~~c~~ `d`'],
  },
  {
    name: 'lists hang and nest',
    text: '- one two three four\n  1. five\n  2. six\n- seven',
    width: 14,
    lines: ['• one two', '  three four', '  1. five', '  2. six', '• seven'],
  },
  { name: 'a loose list keeps its blank lines', text: '- a\n\n- b', lines: ['• a', '', '• b'] },
  {
    name: 'numbers go on from where they begin, right-aligned',
    text: '9. a\n1. b',
    lines: [' 9. a', '10. b'],
  },
  { name: 'tasks keep their boxes', text: '- [x] a\n- [ ] b', lines: ['• [x] a', '• [ ] b'] },
  { name: 'a quote has a bar on every line', text: '> a b c\n>\n> d', width: 4, lines: ['│ a b c', '│', '│ d'] },
  {
    name: 'code is indented and never wrapped',
    text: '```ts\nconst a = `1`\n\n\tb\n```',
    width: 8,
    lines: ['  const a = `1`', '', '      b'],
  },
  { name: 'a rule fills the line', text: 'a\n\n---\n\nb', width: 5, lines: ['a', '', '─────', '', 'b'] },
  { name: 'tags are text', text: '<b>a</b> <!-- c -->', lines: ['<b>a</b> <!-- c -->'] },
  { name: 'entities are what they stand for', text: 'a &amp; b &lt;', lines: ['a & b <'] },
  {
    name: 'a link shows where it leads, once',
    text: '[docs](https://a.example/x) and <https://b.example>',
    width: 80,
    lines: ['docs (https://a.example/x) and https://b.example'],
  },
  { name: 'an image is its text and its address', text: '![logo](logo.png)', lines: ['logo (logo.png)'] },
  {
    name: 'a table is aligned',
    text: '| a | num | mid |\n|---|---:|:-:|\n| 日本 | 1 | `x` |\n| c<br>d | 20 | wide |',
    lines: ['a    │ num │ mid', '─────┼─────┼─────', '日本 │   1 │ `x`', 'c    │  20 │ wide', 'd    │     │'],
  },
  {
    name: 'cells of a table are wrapped, the widest first',
    text: '| k | value |\n|-|-|\n| ab | one two three four |',
    width: 14,
    lines: ['k  │ value', '───┼──────────', 'ab │ one two', '   │ three', '   │ four'],
  },
  {
    name: 'a table that cannot be read at this width becomes lists',
    text: '| first column | second column |\n|-|-|\n| some words | other words |\n| x | y |',
    width: 16,
    lines: ['first column:', 'some words', 'second column:', 'other words', '', 'first column: x', 'second column: y'],
  },
  { name: 'text that Markdown would hide stays', text: '[a]: https://x.example', lines: ['[a]: https://x.example'] },
]
for (const { name, text, lines, ...more } of plain) {
  test(name, () => assert.equal(render(text, more), lines))
}

const painted: readonly { name: string; text: string; env?: Record<string, string>; links?: boolean; out: string }[] = [
  { name: 'a first heading is bold and underlined', text: '# A', out: `${ESC}[1;4mA${ESC}[0m` },
  { name: 'a second heading is bold', text: '## A', out: `${ESC}[1mA${ESC}[0m` },
  { name: 'emphasis nests', text: '**a *b***', out: `${ESC}[1ma ${ESC}[0m${ESC}[1;3mb${ESC}[0m` },
  { name: 'code has a colour and no ticks', text: '`a`', out: `${ESC}[36ma${ESC}[0m` },
  { name: 'colours end with the line', text: '**a**\n\nb', out: `${ESC}[1ma${ESC}[0m\n\nb` },
  {
    name: 'a link can be clicked where the terminal knows links',
    text: '[a](https://x.example/ü)',
    links: true,
    out: `${ESC}]8;;https://x.example/%C3%BC${ESC}\\${ESC}[4ma${ESC}[0m${ESC}]8;;${ESC}\\`,
  },
  {
    name: 'a link that claims another address shows its own',
    text: '[https://bank.example](https://evil.example)',
    links: true,
    out: `${ESC}]8;;https://evil.example${ESC}\\${ESC}[4mhttps://bank.example${ESC}[0m${ESC}]8;;${ESC}\\ (https://evil.example)`,
  },
  {
    name: 'a link into the project is shown, not clicked',
    text: '[a](src/a.ts)',
    links: true,
    out: `${ESC}[4ma${ESC}[0m (src/a.ts)`,
  },
  { name: 'no link runs anything', text: '[a](javascript:x)', links: true, out: '[a](javascript:x)' },
  {
    name: 'an ASCII terminal gets ASCII',
    text: '- a\n\n> b\n\n---',
    env: { LANG: 'C', NO_COLOR: '1' },
    out: `- a\n\n| b\n\n${'-'.repeat(80)}`,
  },
]
for (const { name, text, out, env = {}, links = false } of painted) {
  test(name, () => assert.is(render(text, { env, links, width: 80 }).join('\n'), out))
}

const EVIL = [
  `${ESC}[2J${ESC}]0;title\u0007${ESC}]8;;http://e${ESC}\\x`,
  '\u009b2J\u0090q\u009c',
  '&#27;[31m &#x9b;2J &#7;',
  '&#8238;a&#x2066;b',
  '[a](http://x/&#8238;)',
  `[a](http://x${ESC}[2J)`,
  '[a](<http://x/\u0007\u009c>)',
  '`\u202e\u0008`',
  '```\n\u001b[2J\u2066\r\n```',
  `| ${ESC}[2J |\n|-|\n| \u0007 |`,
  `![${ESC}c](\u001bx)`,
  'a\rb\u2028c',
]
const OURS = new RegExp(`${ESC}\\[[\\d;]*m|${ESC}\\]8;;[!-~]*${ESC}\\\\`, 'g')

test('nothing in the text drives the terminal', () => {
  for (const text of EVIL) {
    const shown = render(text, { env: {}, links: true }).join('\n')
    // Without the codes and links of our own.
    const rest = shown.replace(OURS, '')
    assert.not.match(rest, /[^\P{Cc}\n]|[\u202a-\u202e\u2066-\u2069]/u, JSON.stringify(shown))
  }
})

const MIXED = `# A heading of several words, with \`code\`

Words 日本語のドキュメント 📚 and **bold words that go on**, a_very_long_identifier_that_does_not_fit_anywhere.

1. One item with a few words
   - nested deeper
     > quoted in there, with more words than fit

| Name | What it is | Count |
|:--|--|--:|
| 日本語 | several words in a cell | 12 |
`
test('no line is wider than the terminal, at any width', () => {
  for (let width = 20; width <= 130; width++)
    for (const line of render(MIXED, { width })) assert.ok(widthOf(line) <= width, `${width}: ${line}`)
})

test('hostile nesting and length end in good time', () => {
  for (const text of [
    '>'.repeat(20_000),
    '- '.repeat(5000),
    '['.repeat(20_000),
    'a_'.repeat(40_000),
    'x'.repeat(200_000),
  ])
    assert.ok(render(text).length > 0)
})

test.run()
