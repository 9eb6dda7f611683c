import { mkdirSync, mkdtempSync, realpathSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { basename, dirname, join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { resolveUse } from '../../src/runtime/tool-processes/resolve-use.ts'

const dir = realpathSync(mkdtempSync(join(tmpdir(), 'troupe use #')))
const write = (path: string, text: string): void => {
  mkdirSync(dirname(join(dir, path)), { recursive: true })
  writeFileSync(join(dir, path), text)
}
write('tools/x.mjs', '')
write('node_modules/@scope/only-import/package.json', '{"name":"@scope/only-import","exports":{"import":"./in.mjs"}}')
write('node_modules/@scope/only-import/in.mjs', '')
write('node_modules/old/package.json', '{"name":"old","main":"lib/main.js"}')
write('node_modules/old/lib/main.js', '')
write('node_modules/old/extra.js', '')

const found = [
  { use: `${dir}/tools/x.mjs#x`, file: 'tools/x.mjs', name: 'x' },
  { use: './tools/x.mjs#x', file: 'tools/x.mjs', name: 'x' },
  { use: `../${basename(dir)}/tools/x.mjs#y`, file: 'tools/x.mjs', name: 'y' },
  { use: '@scope/only-import#Search', file: 'node_modules/@scope/only-import/in.mjs', name: 'Search' },
  { use: 'old#default', file: 'node_modules/old/lib/main.js', name: 'default' },
  { use: 'old/extra.js#a', file: 'node_modules/old/extra.js', name: 'a' },
]
for (const { use, file, name } of found) {
  test(`${use.replace(dir, '')} is found from the folder that says it`, () => {
    assert.equal(resolveUse(use, dir), {
      ok: true,
      module: { url: pathToFileURL(join(dir, file)).href, export: name },
    })
  })
}

test('an absolute file URL stands for itself', () => {
  const url = pathToFileURL(join(dir, 'tools/x.mjs')).href
  assert.equal(resolveUse(`${url}#x`, '/'), { ok: true, module: { url, export: 'x' } })
})

const refused = [
  { use: './tools/x.mjs', says: /must name a module and an export, as in/ },
  { use: './tools/x.mjs#', says: /must name a module and an export/ },
  { use: '#x', says: /must name a module and an export/ },
  { use: './tools/y.mjs#x', says: /^there is no file .*tools\/y\.mjs$/ },
  { use: './tools#x', says: /^there is no file .*tools$/ },
  { use: '@scope/none#x', says: /Cannot find package '@scope\/none'/ },
  { use: '@scope/only-import/in.mjs#x', says: /not defined by "exports"/ },
  { use: 'node:fs#readFileSync', says: /'node:fs' is not a file/ },
  { use: 'https://example.com/x.mjs#x', says: /is not a file/ },
]
for (const { use, says } of refused) {
  test(`${use} is refused with its reason`, () => {
    const result = resolveUse(use, dir)
    assert.match(result.ok ? '' : result.error, says)
  })
}

test.after(() => rmSync(dir, { recursive: true }))
test.run()
