import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { Call, Plan, ToolResult } from '../../src/demo/plan.ts'
import { surveyDocumentation } from '../../src/demo/survey/documentation.ts'
import { surveyLayout } from '../../src/demo/survey/layout.ts'
import { surveyOpenEnds } from '../../src/demo/survey/open-ends.ts'
import { createView } from '../../src/sandbox/view.ts'
import { glob } from '../../src/tools/glob.ts'
import { grep } from '../../src/tools/grep.ts'
import { ls } from '../../src/tools/ls.ts'
import { readFile } from '../../src/tools/read-file.ts'

// The plans against the real tools on real folders: what a tool says is what the demo has to read.
type Tool = (args: never, context: never) => Promise<{ readonly status: string; readonly content: string }>
const TOOLS: Readonly<Record<string, unknown>> = { ls, glob, grep, read_file: readFile }

interface Played {
  readonly answer: string
  readonly calls: readonly string[]
}

const play = async (plan: Plan, call: (call: Call) => Promise<ToolResult>): Promise<Played> => {
  const calls: string[] = []
  let step = plan.next([])
  while (!step.done) {
    assert.ok(step.value.calls.length > 0, 'a turn that goes on makes calls')
    assert.ok(calls.length < 40, 'the plan comes to an end')
    for (const { name, args } of step.value.calls) calls.push(`${name} ${Object.values(args).join(' ')}`)
    step = plan.next(await Promise.all(step.value.calls.map(call)))
  }
  return { answer: step.value, calls }
}

const survey = async (plan: () => Plan, files: Readonly<Record<string, string | Buffer>>): Promise<Played> => {
  const base = await realpath(await mkdtemp(join(tmpdir(), 'troupe-survey-')))
  const host = join(base, 'project')
  await mkdir(host)
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(host, path)), { recursive: true })
    await writeFile(join(host, path), content)
  }
  const mount = { host, path: '/mnt/project', writable: false, hidden: ['.env*', '.troupe'] }
  const context = {
    view: createView({ userData: join(base, 'data'), mounts: [mount] }),
    signal: new AbortController().signal,
  }
  try {
    return await play(plan(), async ({ name, args }) => {
      const { status, content } = await (TOOLS[name] as Tool)(args as never, context as never)
      return { ok: status === 'success', content }
    })
  } finally {
    await rm(base, { recursive: true, force: true })
  }
}

const many = (folder: string, n: number, extension: string) =>
  Object.fromEntries(Array.from({ length: n }, (_, i) => [`${folder}/f${i}.${extension}`, 'x']))

const PLANS = { layout: surveyLayout, documentation: surveyDocumentation, 'open ends': surveyOpenEnds }

const table: readonly {
  of: keyof typeof PLANS
  name: string
  files: Readonly<Record<string, string | Buffer>>
  says: readonly string[]
  not?: readonly string[]
  calls?: readonly string[]
}[] = [
  { of: 'layout', name: 'an empty folder', files: {}, says: ['The folder is empty'], calls: ['ls /mnt/project'] },
  {
    of: 'layout',
    name: 'a folder that holds only secrets',
    files: { '.env': 'KEY=1' },
    says: ['The folder is empty'],
    not: ['.env'],
  },
  {
    of: 'layout',
    name: 'a small project',
    files: { 'src/a.ts': '\n// The first line.\n', 'src/b.ts': '', 'lib/c.py': '', 'README.md': '# x' },
    says: [
      '4 files. Code: mostly TypeScript (2 files).',
      '`src/` (2)',
      'TypeScript 2 and Python 1',
      '.ts 2',
      '`src/a.ts` begins with `// The first line.`',
    ],
    calls: ['ls /mnt/project', 'glob **/* /mnt/project', 'read_file /mnt/project/src/a.ts 1 20', 'ls /mnt/project/src'],
  },
  {
    of: 'layout',
    name: 'no code at all',
    files: { 'notes/a.txt': 'x', PLAN: 'y' },
    says: ['2 files. Code: none the script knows.', 'no extension 1'],
  },
  {
    of: 'layout',
    name: 'more files than one list holds',
    files: { ...many('aa', 250, 'js'), ...many('zz', 30, 'go'), 'top.md': 'x' },
    says: ['At least 231 files. Code: mostly JavaScript (200 files).', '`zz/` (30)'],
    calls: [
      'ls /mnt/project',
      'glob **/* /mnt/project',
      'glob * /mnt/project',
      'glob **/* /mnt/project/aa',
      'glob **/* /mnt/project/zz',
      'read_file /mnt/project/aa/f0.js 1 20',
      'ls /mnt/project/aa',
    ],
  },
  {
    of: 'layout',
    name: 'what is not searched is said',
    files: { 'node_modules/x/y.js': '', 'a.js': 'b()' },
    says: ['1 file. Code: JavaScript (1 file).', 'not searched: node_modules'],
  },
  {
    of: 'layout',
    name: 'names that look like Markdown or output',
    files: { 'a`b/c d.ts': 'x', '1. Found 2 paths.ts': 'y' },
    says: ['2 files. Code: TypeScript (2 files).', '`` a`b/ ``'],
  },
  {
    of: 'layout',
    name: 'a binary file',
    files: { 'a.ts': Buffer.from([0, 1, 2, 0, 255]) },
    says: ['`a.ts` could not be read'],
  },

  {
    of: 'documentation',
    name: 'an empty folder',
    files: {},
    says: ['No README was found.', 'No licence file', 'No further pages'],
  },
  {
    of: 'documentation',
    name: 'a README with everything',
    files: {
      'README.md':
        '# The *Thing*\n\n[![badge](x)](y)\n\nIt does\nthings well.\n\n## Install\n\n## Use it\n\n### Deeper\n',
      LICENSE: 'MIT License\n\nCopyright',
      'CHANGELOG.md': 'x',
      'docs/a.md': 'x',
    },
    says: [
      '“The *Thing*”',
      '“It does things well.”',
      'Install, Use it and Deeper',
      'Licence (`LICENSE`): MIT',
      'Also at the top: `CHANGELOG.md`',
      '1 further page of text, such as `docs/a.md`',
    ],
  },
  {
    of: 'documentation',
    name: 'code before the first words',
    files: { 'README.md': '# T\n\n```sh\nnpm run it now\n```\n\nWords at last.\n' },
    says: ['“Words at last.”'],
  },
  {
    of: 'layout',
    name: 'a top that is too long to list',
    files: many('a'.repeat(200), 100, 'js'),
    says: ['At the top, as far as it was listed: 1 folder'],
  },
  {
    of: 'documentation',
    name: 'an empty README',
    files: { 'README.md': '' },
    says: ['`README.md` is there but empty'],
  },
  {
    of: 'documentation',
    name: 'a README without a title',
    files: { README: 'just words here' },
    says: ['without a title', '“just words here”'],
  },
  {
    of: 'documentation',
    name: 'a README further down',
    files: { 'sub/readme.rst': 'words in here', 'a/b/README.md': '# deeper' },
    says: ['No README at the top; `sub/readme.rst`'],
  },
  {
    of: 'documentation',
    name: 'a licence alone',
    files: { 'LICENCE.txt': 'All rights reserved.' },
    says: ['No README was found.', 'not one the script knows; it begins with `All rights reserved.`'],
  },
  {
    of: 'documentation',
    name: 'a README that is no text',
    files: { 'README.md': Buffer.from([0, 0, 1]) },
    says: ['is there but could not be read'],
  },

  {
    of: 'open ends',
    name: 'an empty folder',
    files: {},
    says: ['No manifest the script knows; no line marked TODO, FIXME, HACK or XXX.'],
  },
  {
    of: 'open ends',
    name: 'a package and marks',
    files: {
      'package.json': JSON.stringify({
        name: 'p',
        scripts: { test: 't', build: 'b' },
        dependencies: { a: '1', b: '2' },
        devDependencies: { c: '3' },
      }),
      'src/x.ts': 'a\n  // TODO: this\n// FIXME that\n',
      'src/y.ts': '// TODO: other',
    },
    says: [
      '1 manifest; 3 lines marked',
      'package `p`, 2 dependencies (`a` and `b`), 1 for development, 2 scripts (`test` and `build`)',
      'TODO 2 and FIXME 1, in `src/x.ts` (2) and `src/y.ts` (1)',
      '`src/x.ts:2`: `// TODO: this`',
    ],
  },
  {
    of: 'open ends',
    name: 'a broken package',
    files: { 'package.json': '{' },
    says: ['`package.json`: its beginning could not be parsed as JSON'],
  },
  { of: 'open ends', name: 'a package of null', files: { 'package.json': 'null' }, says: ['no dependencies'] },
  {
    of: 'open ends',
    name: 'manifests further down',
    files: { 'a/b/go.mod': 'module m\n\nrequire (\n\tx.org/y v1.2.3\n)\n' },
    says: ['`a/b/go.mod`: module `m`, 1 required module (`x.org/y`)'],
  },
  {
    of: 'open ends',
    name: 'Rust',
    files: { 'Cargo.toml': '[package]\nname = "c"\n[dependencies]\nserde = "1"\n[dev-dependencies]\nx = "1"\n' },
    says: ['1 crate it needs (`serde`)'],
  },
  {
    of: 'open ends',
    name: 'Python',
    files: {
      'pyproject.toml': '[project]\nname = "p"\ndependencies = [\n  "requests>=2",\n  "rich",\n]\n',
      'requirements.txt': '# c\nflask==1\n',
    },
    says: ['project `p`, 2 requirements (`requests` and `rich`)', '1 requirement (`flask`)'],
  },
  {
    of: 'open ends',
    name: 'make and containers',
    files: { Makefile: 'A := 1\nall: x\n\techo\ntest:\n', Dockerfile: 'FROM --platform=x node:20 AS b\n' },
    says: ['2 targets (`all` and `test`)', 'built on `node:20`'],
  },
  {
    of: 'open ends',
    name: 'a mark in a path with a colon',
    files: { 'a:1: b.txt': 'XXX here' },
    says: ['1 line marked'],
  },
  {
    of: 'open ends',
    name: 'words that only contain a mark',
    files: { 'a.txt': 'TODOS and todo' },
    says: ['no line marked'],
  },
  {
    of: 'open ends',
    name: 'more marks than one list holds',
    files: { 'a.txt': 'TODO\n'.repeat(150) },
    says: ['at least 100 lines marked'],
  },
]

for (const { of, name, files, says, not = [], calls } of table) {
  test(`${of}: ${name}`, async () => {
    const played = await survey(PLANS[of], files)
    for (const text of says)
      assert.ok(played.answer.includes(text), `missing ${JSON.stringify(text)} in\n${played.answer}`)
    for (const text of not) assert.not.ok(played.answer.includes(text))
    if (calls) assert.equal(played.calls, [...calls])
  })
}

for (const [name, plan] of Object.entries(PLANS)) {
  test(`${name}: every tool fails`, async () => {
    const { answer } = await play(plan(), async () => ({ ok: false, content: 'Error: the disk is gone\nmore' }))
    assert.is(answer, 'The folder could not be listed: the disk is gone.')
  })

  test(`${name}: only the listing works, and it says so`, async () => {
    const listing = '/mnt/project/README.md\n/mnt/project/package.json\n/mnt/project/src/\n/mnt/project/src/a.ts'
    const { answer } = await play(plan(), async (call) =>
      call.name === 'ls' ? { ok: true, content: listing } : { ok: false, content: 'Error: Stopped before it was done' },
    )
    assert.match(answer, 'Stopped before it was done')
    assert.not.match(answer, /undefined|NaN|\[object/)
  })
}

test.run()
