import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { openPool, within } from './pool-support.ts'

const files: Readonly<Record<string, string>> = {
  'package.json': '{}',
  'tools/good.mjs': 'export const good = { name: "good", invoke: async () => "" }\nexport const other = 5\n',
  'tools/throws.mjs': '// First line.\n\nthrow new RangeError("kaboom at load")\n',
  'tools/throws-text.mjs': 'throw "just text"\n',
  'tools/throws.cjs': 'exports.a = 1\nthrow new Error("from CommonJS")\n',
  'tools/imports-throws.mjs': 'import "./throws.mjs"\n',
  'tools/calls-package.mjs': 'import { check } from "picky"\n\nexport const a = check()\n',
  'node_modules/picky/package.json': '{ "name": "picky", "type": "module", "exports": "./index.js" }',
  'node_modules/picky/index.js': 'export const check = () => {\n  throw new Error("not like this")\n}\n',
  'tools/cut.mjs': 'export const a = 1\nexport const b = {\n',
  'tools/imports-cut.mjs': 'import "./cut.mjs"\n',
  'tools/cut.cjs': 'exports.a = {\n',
  'tools/imports-wrong.mjs': '\nimport { none } from "./good.mjs"\n',
  'tools/imports-gone.mjs': 'import "./gone.mjs"\n',
  'tools/imports-package.mjs': 'import "no-such-package"\n',
  'tools/folder/x.mjs': '',
  'tools/script.py': 'pass\n',
  'tools/typed.ts': 'export const a: number = 1\n',
  'alone/only.mjs': '',
}

/** Newer versions of Node load TypeScript by themselves. */
const stripsTypes = Boolean((process.features as { readonly typescript?: unknown }).typescript)

const rows: readonly [what: string, use: string, says: string][] = [
  ['throws', 'tools/throws.mjs#a', 'RangeError: kaboom at load (./tools/throws.mjs:3)'],
  ['throws a text', 'tools/throws-text.mjs#a', 'threw just text (./tools/throws-text.mjs)'],
  ['throws and is CommonJS', 'tools/throws.cjs#a', 'from CommonJS (./tools/throws.cjs:2)'],
  ['imports what throws', 'tools/imports-throws.mjs#a', 'RangeError: kaboom at load (./tools/throws.mjs:3)'],
  ['calls a package that throws', 'tools/calls-package.mjs#a', 'not like this (./tools/calls-package.mjs:3)'],
  ['is cut off', 'tools/cut.mjs#a', 'SyntaxError: Unexpected end of input (./tools/cut.mjs:3)'],
  ['is cut off and CommonJS', 'tools/cut.cjs#a', 'SyntaxError: Unexpected end of input (./tools/cut.cjs:2)'],
  [
    'imports what is cut off',
    'tools/imports-cut.mjs#a',
    'SyntaxError: Unexpected end of input (in what ./tools/imports-cut.mjs imports)',
  ],
  [
    'imports what is not exported',
    'tools/imports-wrong.mjs#a',
    "SyntaxError: The requested module './good.mjs' does not provide an export named 'none' (./tools/imports-wrong.mjs:2)",
  ],
  [
    'imports what is gone',
    'tools/imports-gone.mjs#a',
    './tools/imports-gone.mjs imports ./tools/gone.mjs, which is not there',
  ],
  [
    'imports a package that is not there',
    'tools/imports-package.mjs#a',
    './tools/imports-package.mjs imports the package no-such-package, which is not installed (npm install no-such-package)',
  ],
  [
    'has another ending',
    'tools/good.js#a',
    'there is no file ./tools/good.js; paths start from the folder of the config, FOLDER (did you mean "./tools/good.mjs"?)',
  ],
  [
    'has another name',
    'alone/other.mjs#a',
    'there is no file ./alone/other.mjs; paths start from the folder of the config, FOLDER; its folder holds only.mjs',
  ],
  [
    'is in a folder that is not there',
    'tols/good.mjs#a',
    'there is no file ./tols/good.mjs; paths start from the folder of the config, FOLDER, and there is no folder ./tols either',
  ],
  ['is a folder', 'tools/folder#a', './tools/folder is a folder: the file in it must be named'],
  [
    'is another language',
    'tools/script.py#a',
    './tools/script.py cannot be loaded: a tool must be JavaScript (.mjs or .js)',
  ],
  [
    'is TypeScript',
    'tools/typed.ts#b',
    stripsTypes
      ? "the module has no export 'b'; it exports a"
      : `./tools/typed.ts is TypeScript, which Node ${process.versions.node} does not load: a tool must be JavaScript (.mjs or .js), so compile it and name what comes out`,
  ],
  ['has no such export', 'tools/good.mjs#a', "the module has no export 'a'; it exports good, other"],
]

const failures = suite<{ folder: string; said: ReadonlyMap<string, string> }>('load failures')

failures.before(async (context) => {
  const folder = realpathSync(mkdtempSync(join(tmpdir(), 'troupe-load-')))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(join(folder, path, '..'), { recursive: true })
    writeFileSync(join(folder, path), text)
  }
  const modules = rows.map(([, use]) => ({
    url: pathToFileURL(join(folder, use.split('#')[0] ?? '')).href,
    export: use.split('#')[1] ?? '',
  }))
  const pool = openPool({ cwd: folder })
  const described = await within(20_000, pool.describe(modules, 15_000)).finally(() => pool.close())
  context.folder = folder
  context.said = new Map(described.map((found, i) => [rows[i]?.[1] ?? '', found.ok ? 'it loaded' : found.error]))
})

failures.after(({ folder }) => rmSync(folder, { recursive: true, force: true }))

for (const [what, use, says] of rows) {
  failures(`a module that ${what}`, ({ said, folder }) => {
    assert.is(said.get(use), says.replace('FOLDER', folder))
  })
}

failures.run()
