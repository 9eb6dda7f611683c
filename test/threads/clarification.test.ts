import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { call, callTools, type ScriptedCall, say } from '../../src/testing/scripted-reply.ts'
import { assertLawful, collect, ofType, storyOf } from '../support/runtime-events.ts'
import { scene } from '../support/runtime-scene.ts'
import { inTurns, must } from '../support/runtime-script.ts'
import { assertAllStrict } from '../support/strict-wire.ts'

const ask = (question: unknown, options?: readonly string[], id = 'q'): ScriptedCall =>
  call('ask_clarification', { question, ...(options && { options }) }, id)

const open = { description: 'd', system_prompt: 'You help.', disallowed_tools: [] }
const config = { subagents: { custom_agents: { asker: open } } }

test(
  'a lead that asks ends its run with the question, and goes on with the answer',
  scene(
    {
      parts: {
        lead: inTurns(callTools(ask('Which one?', ['this', 'that']), call('ls', { path: '/mnt' }, 'other'))),
        this: ({ request }) => say(`${request.body?.messages?.length} messages`),
      },
    },
    async ({ runtime, model }) => {
      const first = runtime.run('lead on')
      const events = await collect(first)
      assertLawful(events)
      const { status, text, error, stop_reason, turns, thread_id } = await first.result
      assert.equal(
        [status, text, error, stop_reason, turns],
        ['needs_input', 'Which one?\n- this\n- that', null, null, 1],
      )
      assert.equal(
        ofType(events, 'tool_finished').map(({ name, status: how, content }) => [name, how, content]),
        [
          ['ask_clarification', 'success', 'Asked. The answer comes as the next message of the user.'],
          [
            'ls',
            'error',
            'Error: Not run: the question to the user comes first. Call it again where it is still needed.',
          ],
        ],
      )
      const second = await runtime.run('this', { threadId: thread_id }).result
      assert.equal([second.status, second.text], ['completed', '6 messages'])
      assertAllStrict(model.requests)
    },
  ),
)

test(
  'two questions of one response are asked as one',
  scene(
    { parts: { lead: inTurns(callTools(ask('Which?', undefined, 'a'), ask('Why?', undefined, 'b'))) } },
    async ({ runtime }) => assert.is((await runtime.run('lead').result).text, 'Which?\n\nWhy?'),
  ),
)

test(
  'what is no question is answered as a wrong call, and what stands beside it runs',
  scene(
    {
      parts: {
        lead: inTurns(
          callTools(ask(' ', undefined, 'a'), ask(7, undefined, 'b'), call('ls', { path: '/mnt/user-data' }, 'c')),
          ({ results }) => say(results.join(' | ')),
        ),
      },
    },
    async ({ runtime }) => {
      const { status, text } = await runtime.run('lead').result
      assert.is(status, 'completed')
      assert.match(
        text,
        /^Error: Tool .*not blank \| Error: Tool 'ask_clarification' needs "question" \(string\) \| \/mnt\/user-data\/outputs/s,
      )
    },
  ),
)

test(
  'LC-11: a subagent that may ask ends completed at once, its result the question under a tag',
  scene(
    {
      config,
      parts: {
        lead: inTurns(callTools(call('task', { prompt: 'sub', subagent_type: 'asker' }, 'a')), ({ results }) =>
          say(results.join()),
        ),
        sub: inTurns(callTools(ask('Which one?'))),
      },
    },
    async ({ runtime, model }) => {
      const run = runtime.run('lead')
      const events = await collect(run)
      assertLawful(events)
      const { text, status, delegations } = await run.result
      assert.equal([status, text], ['completed', 'Task Succeeded. Result: [NEEDS INPUT] Which one?'])
      assert.match(storyOf(events, 'a'), /^started .*completed$/)
      const [one] = delegations
      assert.equal(
        [one?.status, one?.result, one?.error, one?.partial],
        ['completed', '[NEEDS INPUT] Which one?', null, null],
      )
      assert.is(model.requests.length, 3)
      const answer = must(model.requests.at(-1)?.body?.messages?.at(-1))
      assert.is(answer.tool_call_id, 'a')
    },
  ),
)

test(
  'decision 23: built-in agents cannot ask',
  scene(
    {
      parts: {
        lead: inTurns(callTools(call('task', { prompt: 'sub' }, 'a')), ({ results }) => say(results.join())),
        sub: inTurns(callTools(ask('Which one?')), ({ results }) => say(results.join())),
      },
    },
    async ({ runtime, model }) => {
      assert.match((await runtime.run('lead').result).text, /Tool 'ask_clarification' is not available/)
      assert.ok(!model.requests[1]?.body?.tools?.some(({ function: { name } }) => /ask_|present_|^task$/.test(name)))
    },
  ),
)

test(
  'decision 23: files that a subagent presents are among its artifacts',
  scene(
    {
      config,
      parts: {
        lead: inTurns(
          callTools(call('write_file', { path: '/mnt/user-data/outputs/report.md', content: '# Report' }, 'w')),
          callTools(call('task', { prompt: 'sub', subagent_type: 'asker' }, 'a')),
          say('done'),
        ),
        sub: inTurns(
          callTools(call('present_files', { paths: ['/mnt/user-data/outputs/report.md'] }, 'p')),
          ({ results }) => say(results.join()),
        ),
      },
    },
    async ({ runtime }) => {
      const [one] = (await runtime.run('lead').result).delegations
      assert.is(one?.result, 'Presented:\n/mnt/user-data/outputs/report.md')
      assert.equal(one?.artifacts, [{ path: '/mnt/user-data/outputs/report.md', type: 'markdown' }])
    },
  ),
)

test.run()
