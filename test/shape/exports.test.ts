import { existsSync, readFileSync } from 'node:fs'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { built, project } from '../support/built.ts'

const names: Record<string, readonly string[]> = {
  'index.js': ['TroupeError', 'createRuntime'],
  'machines.js': ['agentMachine', 'delegationMachine'],
  'testing.js': ['call', 'callTools', 'createFakeClock', 'say', 'startScriptedModel'],
}

for (const [file, expected] of Object.entries(names)) {
  test(`${file} exports ${expected.join(', ')}`, async () => {
    const module = await import(built(file).href)
    assert.equal(Object.keys(module).sort(), [...expected].sort())
  })
}

interface Manifest {
  readonly bin: Readonly<Record<string, string>>
  readonly exports: Readonly<Record<string, string | Readonly<Record<string, string>>>>
}

const pathsOf = (target: Manifest['exports'][string]) => (typeof target === 'string' ? [target] : Object.values(target))

test('what package.json points at exists', () => {
  const { bin, exports }: Manifest = JSON.parse(readFileSync(new URL('package.json', project), 'utf8'))
  const targets = [...Object.values(bin), ...Object.values(exports).flatMap(pathsOf)]
  assert.ok(targets.length >= 7)
  assert.equal(
    targets.filter((path) => !existsSync(new URL(path, project))),
    [],
  )
})

test('the command can be run by its name', () => {
  assert.is(readFileSync(built('cli.js'), 'utf8').split('\n', 1)[0], '#!/usr/bin/env node')
})

test.run()
