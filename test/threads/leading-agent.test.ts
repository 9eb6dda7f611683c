import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { TroupeError } from '../../src/contract/errors.ts'
import { call, callTools, type ScriptedCall, say } from '../../src/testing/scripted-reply.ts'
import { FILE_TOOLS } from '../../src/tools/manifest.ts'
import { assertLawful, collect, ofType } from '../support/runtime-events.ts'
import { fixtureTool, scene } from '../support/runtime-scene.ts'
import { inTurns, must } from '../support/runtime-script.ts'
import { assertAllStrict } from '../support/strict-wire.ts'

const task = (subagent_type: string | undefined, id: string): ScriptedCall =>
  call('task', { prompt: `sub ${id}`, ...(subagent_type !== undefined && { subagent_type }) }, id)

const agent = { description: 'd', system_prompt: 'You help.' }
const config = {
  tools: [fixtureTool('instant', 'worker', { group: 'web' })],
  agents: {
    reviewer: {
      ...{ description: 'Reviews\nmore', system_prompt: 'You review.', model: 'second' },
      ...{ tool_groups: ['file'], subagents: ['clerk', 'general-purpose'] },
    },
    clerk: { ...agent, system_prompt: 'You file.', tool_groups: ['web', 'file'] },
    narrow: { ...agent, subagents: ['clerk'] },
    loner: { ...agent, subagents: 'none' },
  },
}

const systemOf = (body: { readonly messages?: readonly { readonly content?: unknown }[] } | null | undefined) =>
  String(body?.messages?.[0]?.content)
const toolsOf = (
  body: { readonly tools?: readonly { readonly function: { readonly name: string } }[] } | null | undefined,
) => body?.tools?.map((tool) => tool.function.name)

test(
  'a custom agent leads with its own prompt, model and tools, and calls those on its access list inside its scope',
  scene(
    {
      config,
      parts: {
        lead: inTurns(callTools(task('clerk', 'a'), task(undefined, 'b')), ({ results }) => say(results.join(' | '))),
        sub: ({ prompt }) => say(prompt),
      },
    },
    async ({ runtime, model }) => {
      const run = runtime.run('lead on', { agent: 'reviewer' })
      const events = await collect(run)
      assertLawful(events)
      assert.is((await run.result).text, 'Task Succeeded. Result: sub a | Task Succeeded. Result: sub b')
      const started = must(ofType(events, 'run_started')[0])
      assert.is(started.model_name, 'second')
      assert.equal(started.effective_policies, {
        subagents: ['general-purpose', 'clerk'],
        skills: null,
        tool_groups: ['file'],
      })
      const byPrompt = (start: string) =>
        must(model.requests.find(({ body }) => String(body?.messages?.[1]?.content).startsWith(start))).body
      const lead = byPrompt('lead')
      assert.match(systemOf(lead), /^You review\.\n\nFiles\n/)
      assert.is(lead?.model, 'second-model')
      const files = FILE_TOOLS.map(({ name }) => name)
      assert.equal(toolsOf(lead), ['task', ...files, 'present_files', 'ask_clarification'])
      for (const id of ['a', 'b']) {
        const child = byPrompt(`sub ${id}`)
        assert.equal(toolsOf(child), files, 'instant is not its parent’s to give')
        assert.is(child?.model, 'second-model')
      }
      assert.match(systemOf(byPrompt('sub a')), /^You file\.\n\nYou work here as a subagent/)
      assert.equal(
        ofType(events, 'task_started').map(({ subagent_type, limits }) => [
          subagent_type,
          limits.max_turns,
          limits.timeout_seconds,
        ]),
        [
          ['clerk', 50, 900],
          ['general-purpose', 150, 1800],
        ],
      )
      assertAllStrict(model.requests)
    },
  ),
)

test(
  'a hidden agent, an agent itself and one that is not there are refused alike, and nothing starts',
  scene(
    {
      config,
      parts: {
        lead: inTurns(
          callTools(...['bash', 'narrow', 'reviewer', 'ghost'].map((name) => task(name, name)), task(undefined, 'x')),
          ({ results }) => say(results.join('\n')),
        ),
      },
    },
    async ({ runtime, model }) => {
      const run = runtime.run('lead on', { agent: 'narrow' })
      const events = await collect(run)
      assertLawful(events)
      const { text, delegations } = await run.result
      assert.equal(
        text.split('\n'),
        ['bash', 'narrow', 'reviewer', 'ghost', 'general-purpose'].map(
          (name) => `Task failed. Error: Unknown subagent type '${name}'. Available: clerk`,
        ),
      )
      assert.equal(delegations, [])
      assert.equal(ofType(events, 'task_started'), [])
      assert.is(model.requests.length, 2)
      const [first] = model.requests
      assert.not.match(JSON.stringify(first?.body), /general-purpose|reviewer|loner/)
      const tool = must(first?.body?.tools?.find(({ function: { name } }) => name === 'task'))
      assert.equal(must(tool.function.parameters as { readonly required: unknown }).required, [
        'prompt',
        'subagent_type',
      ])
    },
  ),
)

test(
  'a name that the prompt shows escaped is known in both forms',
  scene(
    {
      config: { agents: { 'a<b>': agent } },
      parts: {
        lead: inTurns(callTools(task('a<b>', 'a'), task('a&lt;b&gt;', 'b')), ({ results }) => say(results.join(' | '))),
        sub: ({ prompt }) => say(prompt),
      },
    },
    async ({ runtime, model }) => {
      const run = runtime.run('lead on')
      assert.is((await run.result).text, 'Task Succeeded. Result: sub a | Task Succeeded. Result: sub b')
      assert.equal(
        (await run.result).delegations.map(({ subagent_type }) => subagent_type),
        ['a<b>', 'a<b>'],
      )
      assert.match(systemOf(model.requests[0]?.body), '- **a&lt;b&gt;**: d')
    },
  ),
)

test(
  'access to none withdraws task, and a call of it all the same starts nothing',
  scene(
    {
      config,
      parts: { lead: inTurns(callTools(task('clerk', 'a')), ({ results }) => say(results.join())) },
    },
    async ({ runtime, model }) => {
      const run = runtime.run('lead on', { agent: 'loner' })
      const events = await collect(run)
      assertLawful(events)
      assert.match((await run.result).text, /^Task failed\. Error: the task tool is not available to you/)
      assert.equal(ofType(events, 'run_started')[0]?.effective_policies.subagents, [])
      const [first] = model.requests
      assert.not.match(systemOf(first?.body), /subagent/)
      assert.ok(!toolsOf(first?.body)?.includes('task'))
    },
  ),
)

test(
  'at limit 1 neither the prompt nor the task tool speaks of working at once',
  scene({ config, parts: { lead: () => say('done') } }, async ({ runtime, model }) => {
    await runtime.run('lead on', { maxConcurrentSubagents: 1 }).result
    await runtime.run('lead on').result
    const [alone, together] = model.requests.map(({ body }) => JSON.stringify([body?.messages, body?.tools]))
    assert.not.match(String(alone), /same time/)
    assert.match(String(together), /same time.*same time/)
  }),
)

test(
  'an agent that is not there leads nothing, and the nearest is named',
  scene({ config, parts: {} }, async ({ runtime, model }) => {
    assert.throws(
      () => runtime.run('lead on', { agent: 'reviwer' }),
      ({ code, message }: TroupeError) => code === 'OPTIONS_INVALID' && /did you mean "reviewer"/.test(message),
    )
    assert.equal([runtime.runs(), model.requests], [[], []])
  }),
)

test.run()
