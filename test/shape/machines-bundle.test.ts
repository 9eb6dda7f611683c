import { fileURLToPath } from 'node:url'
import { runInNewContext } from 'node:vm'
import { build } from 'esbuild'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { built, contentsOf } from '../support/built.ts'

test('machines.js holds machines, policy and contract alone, and leaves xstate outside', () => {
  const { inputs, externals } = contentsOf('machines')
  assert.equal(
    inputs.filter((path) => !/^(generated:machines$|machines\/|src\/(policy|contract)\/)/.test(path)),
    [],
  )
  assert.equal(externals, ['xstate'])
})

test('machines.js bundles for a browser and loads with nothing around it but the language', async () => {
  const { outputFiles } = await build({
    entryPoints: [fileURLToPath(built('machines.js'))],
    bundle: true,
    format: 'iife',
    globalName: 'machines',
    platform: 'browser',
    write: false,
    logLevel: 'silent',
  })
  const types = runInNewContext(`${outputFiles[0]?.text}; Object.values(machines).map((each) => typeof each)`)
  assert.ok(types.length > 0)
})

test.run()
