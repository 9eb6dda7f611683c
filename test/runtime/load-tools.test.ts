import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { loadConfig } from '../../src/config/load.ts'
import type { ToolModule } from '../../src/contract/tools.ts'
import { createToolLoader } from '../../src/runtime/load-tools.ts'
import type { ToolProcesses } from '../../src/runtime/tool-processes/pool.ts'
import { KEY } from '../config/support.ts'

/** Processes that describe every module but those of `broken.mjs`, and remember what they were asked for. */
const processes = () => {
  const asked: string[] = []
  const describe = async (modules: readonly ToolModule[]) =>
    modules.map(({ url, export: name }) => {
      asked.push(name)
      return url.endsWith('broken.mjs')
        ? ({ ok: false, error: 'is broken' } as const)
        : ({ ok: true, name, description: `about ${name}`, parameters: {} } as const)
    })
  return { asked, loader: createToolLoader({ describe } as unknown as ToolProcesses) }
}

const tool = (name: string, file = 'tools') => ({ name, use: `./${file}.mjs#${name}` })
const configOf = async (...tools: readonly object[]) => (await loadConfig({ config: { tools }, env: KEY })).config
const hostTool = (name: string, description = '') => ({ name, description, invoke: async () => description })

test('a module that is named again is not read again, and one that is gone is forgotten', async () => {
  const { asked, loader } = processes()
  for (const tools of [[tool('a'), tool('b')], [tool('b'), tool('c')], [tool('a')]])
    await loader.load(await configOf(...tools), '/base', [])
  assert.equal(asked, ['a', 'b', 'c', 'a'])
})

test('a module that did not load is read again', async () => {
  const { asked, loader } = processes()
  for (const _load of [1, 2]) {
    const { problems } = await loader.load(await configOf(tool('a', 'broken')), '/base', [])
    assert.equal(
      problems.map(({ path, message }) => `${path} ${message}`),
      ['tools.0.use cannot be loaded: is broken'],
    )
  }
  assert.equal(asked, ['a', 'a'])
})

test('of the tools of the host the first of a name counts, after those that are built in; the others are told', async () => {
  const { loader } = processes()
  const query = hostTool('query', 'first')
  const hostTools = [hostTool('ls'), query, hostTool('query', 'second'), query]
  const { specs, problems } = await loader.load(await configOf(tool('query'), tool('a')), '/base', hostTools)
  assert.equal(
    specs.filter(({ placement }) => placement === 'host').map(({ name, description }) => `${name} ${description}`),
    ['query first'],
  )
  assert.equal(
    problems.map(({ level, path, code }) => `${level} ${path} ${code}`),
    ['hostTools.0', 'hostTools.2', 'hostTools.3', 'tools.0.name'].map((path) => `warning ${path} name_taken`),
  )
})

test.run()
