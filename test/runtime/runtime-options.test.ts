import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { RuntimeOptions } from '../../src/contract/api.ts'
import type { TroupeError } from '../../src/contract/errors.ts'
import { createRuntime } from '../../src/index.ts'

const invoke = async () => ''
const hostTools = (...tools: readonly unknown[]) => ({ hostTools: tools })

const refusals: readonly [name: string, options: unknown, says: RegExp][] = [
  ['a misspelt option', { confg: 'x' }, /^confg is no option of createRuntime: .*\(did you mean "config"\?\)$/],
  ['an unknown option', { threads: 2 }, /^threads is no option of createRuntime: known are config, home, env, /],
  ['options that are a path', './config.yaml', /^options of createRuntime must be an object$/],
  ['options of null', null, /^options of createRuntime must be an object$/],
  ['a home that is no text', { home: 5 }, /^home must be the path of a folder$/],
  ['a blank home', { home: '' }, /^home must be the path of a folder$/],
  ['an env that is a text', { env: 'A=1' }, /^env must be an object$/],
  ['a log that is no function', { log: console }, /^log must be a function$/],
  ['a workerUrl that is a number', { workerUrl: 5 }, /^workerUrl must be a path or a URL$/],
  ['a host tool outside a list', { hostTools: { name: 't', invoke } }, /^hostTools must be a list$/],
  ['a host tool without a name', hostTools({ name: 't', invoke }, {}), /^hostTools\.1 has no name/],
  ['a host tool of nothing', hostTools(null), /^hostTools\.0 has no name/],
  ['a host tool that is a function', hostTools(invoke), /^hostTools\.0 \("invoke"\) has no function invoke$/],
  ['a host tool that cannot be called', hostTools({ name: 't' }), /^hostTools\.0 \("t"\) has no function invoke$/],
  ['a name that providers refuse', hostTools({ name: 'a b', invoke }), /^hostTools\.0\.name "a b" must be /],
  ['a description that is no text', hostTools({ name: 't', invoke, description: 5 }), /^hostTools\.0\.description /],
]

for (const [name, options, says] of refusals) {
  test(`createRuntime refuses ${name}`, async () => {
    const error = await createRuntime(options as RuntimeOptions).then(
      async (runtime) => void (await runtime.close()),
      (thrown: TroupeError) => thrown,
    )
    assert.is(error?.code, 'OPTIONS_INVALID')
    assert.match(error?.message ?? '', says)
  })
}

test.run()
