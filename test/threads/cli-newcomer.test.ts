import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import { NODE_LEAST } from '../../src/cli/node-version.ts'
import { startScriptedModel } from '../../src/testing/scripted-model.ts'
import { type ScriptedReply, say } from '../../src/testing/scripted-reply.ts'
import { troupe, troupeWith } from '../support/troupe-process.ts'

// What someone meets who tries Troupe for the first time.
const test = suite('a newcomer', { folder: '' })

test.before.each(async (context) => {
  context.folder = await mkdtemp(join(tmpdir(), 'troupe-newcomer-'))
})
test.after.each(({ folder }) => rm(folder, { recursive: true, force: true }))

test('init, check, run', async ({ folder }) => {
  const markdown = '# Parrots\n\n- they *talk*\n'
  const model = await startScriptedModel({ reply: () => say(markdown) })
  const env = { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: model.url, OPENAI_MODEL: 'mine' }
  try {
    const init = await troupeWith(env, folder, 'init').ended
    assert.is(init.code, 0, init.err)
    const check = await troupeWith(env, folder, 'check').ended
    assert.is(check.out, 'The config is in order.\n')
    assert.is(check.code, 0)
    const run = await troupeWith(env, folder, 'run', 'Parrots?').ended
    assert.is(run.code, 0, run.err)
    assert.is(run.out, markdown)
    assert.is(model.requests[0]?.body?.model, 'mine')
    assert.match(JSON.stringify(model.requests[0]?.body), 'reviewer')
  } finally {
    await model.close()
  }
})

test('init without a key says which variable to set, and so does the run', async ({ folder }) => {
  assert.match((await troupe(folder, 'init').ended).out, 'export OPENAI_API_KEY=...')
  const { err, out } = await troupe(folder, 'run', 'hi').ended
  assert.is(out, '')
  assert.match(err, /OPENAI_API_KEY, which is not set.*\nSet the variable/)
})

test('init --full writes the example that comes with the package', async ({ folder }) => {
  assert.is((await troupe(folder, 'init', '--full').ended).code, 0)
  const [schema, ...rest] = (await readFile(join(folder, 'config.yaml'), 'utf8')).split('\n')
  assert.match(schema ?? '', 'config.schema.json')
  assert.is(rest.join('\n'), await readFile('config.example.yaml', 'utf8'))
})

const error = (status: number, message: string, code?: string): ScriptedReply => ({
  status,
  body: { error: { message, ...(code && { code }) } },
})

const troubles: readonly { name: string; reply: ScriptedReply; cause: string; wayOut: string }[] = [
  {
    name: 'a wrong key',
    reply: error(401, 'Incorrect API key provided', 'invalid_api_key'),
    cause: 'HTTP 401 Unauthorized: Incorrect API key provided',
    wayOut: 'does not take the key: see `api_key`',
  },
  {
    name: 'an unknown model',
    reply: error(404, 'The model `mine` does not exist', 'model_not_found'),
    cause: 'HTTP 404 Not Found: The model `mine` does not exist',
    wayOut: 'see `model` in the config (OPENAI_MODEL without one)',
  },
  {
    name: 'a path that is not there',
    reply: error(404, 'Not Found'),
    cause: 'HTTP 404 Not Found',
    wayOut: 'mostly ends in /v1',
  },
  {
    name: 'an empty account',
    reply: error(429, 'You exceeded your current quota', 'insufficient_quota'),
    cause: 'You exceeded your current quota',
    wayOut: 'nothing left to spend',
  },
  {
    name: 'too many requests',
    reply: { ...error(429, 'Slow down'), headers: { 'x-should-retry': 'false' } },
    cause: 'HTTP 429 Too Many Requests: Slow down',
    wayOut: 'wait a while',
  },
  {
    name: 'an endpoint in trouble',
    reply: { ...error(500, 'Boom'), headers: { 'x-should-retry': 'false' } },
    cause: 'HTTP 500 Internal Server Error: Boom',
    wayOut: 'run it again in a while',
  },
  {
    name: 'a request it refuses',
    reply: error(400, 'Bad field'),
    cause: 'Bad field',
    wayOut: 'OPENAI_MODEL without one',
  },
]
for (const { name, reply, cause, wayOut } of troubles) {
  test(`${name}: the cause and the way out`, async ({ folder }) => {
    const model = await startScriptedModel({ reply: () => reply })
    try {
      const env = { OPENAI_API_KEY: 'key-of-mine', OPENAI_BASE_URL: model.url }
      const { code, out, err } = await troupeWith(env, folder, 'run', 'hi').ended
      assert.is(code, 1)
      assert.is(out, '')
      assert.match(err, /^error: Model "default": HTTP \d+ /m)
      assert.ok(err.includes(cause), err)
      assert.ok(err.includes(wayOut), err)
      assert.not.ok(err.includes('key-of-mine'))
    } finally {
      await model.close()
    }
  })
}

const withPage = async (use: (url: string) => Promise<void>) => {
  const server = createServer((_, response) => response.end('<!doctype html><title>Welcome</title>'))
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  try {
    await use(`http://127.0.0.1:${(server.address() as AddressInfo).port}`)
  } finally {
    server.close()
    server.closeAllConnections()
  }
}

test('a base URL that leads to a web page is told at once', ({ folder }) =>
  withPage(async (url) => {
    const { code, err } = await troupeWith({ OPENAI_API_KEY: 'k', OPENAI_BASE_URL: url }, folder, 'run', 'hi').ended
    assert.is(code, 1)
    assert.match(err, /error: Model "default": the endpoint answered a web page.*\n.*mostly ends in \/v1/)
    assert.not.match(err, 'retry')
  }))

for (const url of ['localhost:1', '127.0.0.1:5099/v1']) {
  test(`a base URL that is none: ${url}`, async ({ folder }) => {
    const env = { OPENAI_API_KEY: 'k', OPENAI_BASE_URL: url }
    const { code, err } = await troupeWith(env, folder, 'run', 'hi').ended
    assert.is(code, 1)
    assert.match(err, /^warning: .*variable OPENAI_BASE_URL must begin with http:\/\/ or https:\/\/.*\n/)
    assert.match(err, /error: .*base_url .* must begin with http:\/\/ or https:\/\/.*\nCorrect `base_url`/)
  })
}

test('without key and config, every way to begin is named', async ({ folder }) => {
  const { code, err } = await troupe(folder, 'run', 'hi').ended
  assert.is(code, 2)
  for (const way of ['OPENAI_API_KEY', 'troupe init', 'troupe demo']) assert.ok(err.includes(way), err)
})

test('a Node that is too old is told, whatever was asked', async ({ folder }) => {
  const old = `data:text/javascript,Object.defineProperty(process,'version',{value:'v18.20.8'})`
  const { code, out, err } = await troupeWith({ NODE_OPTIONS: `--import=${old}` }, folder, '--help').ended
  assert.is(code, 1)
  assert.is(out, '')
  assert.match(err, `Troupe needs Node ${NODE_LEAST.join('.')} or newer, and this is v18.20.8.`)
  const { engines } = JSON.parse(await readFile('package.json', 'utf8'))
  assert.is(engines.node, `>=${NODE_LEAST.join('.')}`)
})

test.run()
