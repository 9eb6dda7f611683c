import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { loadConfig } from '../../src/config/load.ts'
import { checkModels } from '../../src/runtime/check-models.ts'
import { KEY } from '../config/support.ts'
import { within } from '../support/runtime-scene.ts'

const FIXTURES = './test/models/langchain/fixtures.mjs'

const models: readonly [use: string, says: RegExp | null][] = [
  ['@langchain/openai#ChatOpenAI', null],
  [
    '@langchain/openai#ChatOpenAi',
    /^cannot be loaded: the module has no export 'ChatOpenAi' \(did you mean 'ChatOpenAI'\?\); it exports .* and \d+ more$/,
  ],
  ['@langchain/openai#OpenAIEmbeddings', /^cannot be loaded: the export 'OpenAIEmbeddings' is no LangChain chat model/],
  ['@nobody/nothing#Chat', /^cannot be found: the package @nobody\/nothing is not installed/],
  ['./test/models/none.mjs#Chat', /^cannot be found: there is no file .*\/test\/models\/none\.mjs$/],
  [`${FIXTURES}#ready`, null],
  [`${FIXTURES}#make`, null],
  [`${FIXTURES}#Scripted`, null],
  [`${FIXTURES}#nothing`, /^cannot be loaded: the export 'nothing' is no LangChain chat model/],
  ['./test/threads/fixtures/wants-key.mjs#model', null],
]

test('what is wrong with the modules of models is told by the place of each', async () => {
  const config = { models: models.map(([use], i) => ({ name: `m${i}`, model: 'm', use })) }
  const found = await within(
    30_000,
    'it ends',
    checkModels(await loadConfig({ config, env: KEY }), { ...process.env, ...KEY }),
  )
  for (const [index, [use, says]] of models.entries()) {
    const message = found.find(({ path }) => path === `models.${index}.use`)?.message
    if (says === null) assert.is(message, undefined, use)
    else assert.match(message ?? '', says)
  }
})

test.run()
