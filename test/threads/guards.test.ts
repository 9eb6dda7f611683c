import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { RunEvent } from '../../src/contract/events.ts'
import type { RunResult } from '../../src/contract/result.ts'
import type { ScriptedRequest } from '../../src/testing/scripted-model.ts'
import { call, callTools, type ScriptedReply, say } from '../../src/testing/scripted-reply.ts'
import { assertLawful, collect, ofType } from '../support/runtime-events.ts'
import { type Scene, type SceneOptions, scene } from '../support/runtime-scene.ts'
import { inTurns } from '../support/runtime-script.ts'

const WORKSPACE = '/mnt/user-data/workspace'
const look = call('ls', { path: WORKSPACE })
const lookAt = (n: number) => call('ls', { path: `${WORKSPACE}/${n}` })
const delegates = callTools(call('task', { prompt: 'sub' }, 't'))

interface Played {
  readonly events: readonly RunEvent[]
  readonly result: RunResult
  /** The requests of whoever is named by the first word of the prompt. */
  of(name: string): readonly ScriptedRequest[]
}

const messagesOf = (request: ScriptedRequest | undefined) => request?.body?.messages ?? []
const textOf = (content: unknown): string => (typeof content === 'string' ? content : '')
const lastOf = (request: ScriptedRequest | undefined) => messagesOf(request).at(-1)
const toolNames = (request: ScriptedRequest | undefined) =>
  (request?.body?.tools ?? []).map((tool) => tool.function.name)

const play = async ({ runtime, model }: Scene): Promise<Played> => {
  const run = runtime.run('lead')
  const events = await collect(run)
  assertLawful(events)
  const of = (name: string) =>
    model.requests.filter((request) =>
      textOf(messagesOf(request).find(({ role }) => role === 'user')?.content).startsWith(name),
    )
  return { events, result: await run.result, of }
}

/** A lead that delegates once, and hands on what it got. */
const lead = inTurns(delegates, ({ results }) => say(`got: ${results}`))
const both = (options: SceneOptions, check: (played: Played) => void) =>
  scene({ ...options, parts: { lead, ...options.parts } }, async (open) => check(await play(open)))

const warnings = (events: readonly RunEvent[], code: string) =>
  ofType(events, 'warning').filter((event) => event.code === code)

const general = (keys: object) => ({ subagents: { agents: { 'general-purpose': keys } } })

test(
  'at its turn cap an agent is asked once more, without tools, and what it says then is the result',
  both(
    {
      config: general({ max_turns: 2 }),
      parts: {
        sub: inTurns(
          { ...callTools(lookAt(1)), text: 'one' },
          { ...callTools(lookAt(2), lookAt(3)), text: 'two' },
          say('three'),
        ),
      },
    },
    ({ events, result, of }) => {
      const asked = of('sub')
      assert.is(asked.length, 3)
      assert.ok(toolNames(asked[1]).includes('ls'))
      assert.equal(toolNames(asked[2]), [])
      const tail = messagesOf(asked[2]).slice(-4)
      assert.equal(
        tail.map(({ role }) => role),
        ['assistant', 'tool', 'tool', 'user'],
      )
      assert.equal(
        tail.slice(1, 3).map(({ content }) => content),
        ['Not run: limit reached', 'Not run: limit reached'],
      )
      assert.match(textOf(tail[3]?.content), /^\[TURN LIMIT REACHED\] Reached max_turns=2\. .*final answer/)
      const [end] = ofType(events, 'task_completed')
      assert.equal([end?.result, end?.stop_reason], ['three', 'turn_capped'])
      assert.is(end?.usage?.total_tokens, 3 * 110, 'the last call counts')
      assert.is(result.text, 'got: Task Succeeded (capped: turn budget). Result: three')
    },
  ),
)

test(
  'without wrap-up the text of the capped response is the result, and its calls are gone',
  both(
    {
      config: { subagents: { wrap_up: false, max_turns: 1 } },
      parts: { sub: () => ({ ...callTools(look), text: 'so far' }) },
    },
    ({ events, result, of }) => {
      assert.is(of('sub').length, 1)
      assert.is(result.text, 'got: Task Succeeded (capped: turn budget). Result: so far')
      const told = ofType(events, 'task_running').map(({ message }) => message)
      assert.equal(
        told.map(({ type, content, tool_calls }) => [type, content, tool_calls]),
        [['ai', 'so far', undefined]],
      )
    },
  ),
)

test(
  'a wrap-up that calls tools all the same runs none, and the latest text is the result',
  both(
    { config: general({ max_turns: 1 }), parts: { sub: () => ({ ...callTools(look), text: '' }) } },
    ({ events, result }) => {
      const [end] = ofType(events, 'task_failed')
      assert.equal([end?.stop_reason, end?.error], ['turn_capped', 'Reached max_turns=1'])
      assert.is(result.text, 'got: Task failed (capped: turn budget). Error: Reached max_turns=1')
      assert.equal(
        ofType(events, 'task_running').map(({ message }) => message.tool_calls?.length ?? message.content),
        [1, 'Not run: limit reached'],
        'the call it was not to make is told nowhere',
      )
    },
  ),
)

const refusal: ScriptedReply = { status: 400, body: { error: { message: 'tool_use blocks need the tools param' } } }

test(
  'a provider that refuses tool history without tools is shown them, and told to call none',
  both(
    {
      config: general({ max_turns: 1 }),
      parts: {
        sub: ({ turn, request }) => {
          if (turn === 0) return callTools(look)
          return toolNames(request).length === 0 ? refusal : say('done')
        },
      },
    },
    ({ result, of }) => {
      assert.is(result.text, 'got: Task Succeeded (capped: turn budget). Result: done')
      const last = of('sub').at(-1)
      assert.is(last?.body?.tool_choice, 'none')
      assert.match(textOf(lastOf(last)?.content), /^\[TURN LIMIT REACHED\]/)
    },
  ),
)

test(
  'an agent that repeats its calls is warned once, in one request, and then stopped',
  both(
    { parts: { sub: ({ turn }) => ({ ...callTools({ ...look, id: `c${turn}` }), text: `look ${turn}` }) } },
    ({ events, result, of }) => {
      const asked = of('sub')
      assert.is(asked.length, 6, 'five responses and the wrap-up')
      const warned = asked.map(
        (request) => messagesOf(request).filter(({ content }) => textOf(content).startsWith('[LOOP DETECTED]')).length,
      )
      assert.equal(warned, [0, 0, 0, 1, 0, 0])
      assert.equal([lastOf(asked[3])?.role, messagesOf(asked[3]).at(-2)?.role], ['user', 'tool'])
      assert.match(textOf(lastOf(asked[5])?.content), /^\[FORCED STOP\] The same tool calls were made 5 times\./)
      const [end] = ofType(events, 'task_completed')
      assert.equal([end?.stop_reason, end?.result], ['loop_capped', 'look 5'])
      assert.equal(
        warnings(events, 'loop').map(({ task_id, message }) => [task_id, message.split(']')[0]]),
        [
          ['t', '[LOOP DETECTED'],
          ['t', '[FORCED STOP'],
        ],
      )
      assert.is(result.text, 'got: Task Succeeded (capped: repeated tool-call loop). Result: look 5')
    },
  ),
)

test(
  'without loop detection the lead goes on to its last turn',
  scene(
    {
      config: { loop_detection: { enabled: false }, lead: { max_turns: 8 } },
      parts: { lead: ({ turn }) => callTools({ ...look, id: `c${turn}` }) },
    },
    async (open) => {
      const { result, of } = await play(open)
      assert.equal([result.status, result.stop_reason, result.turns], ['failed', 'turn_capped', 8])
      assert.is(of('lead').length, 9)
    },
  ),
)

test(
  'a budget is told, warned of and kept',
  both(
    {
      config: { subagents: { token_budget: { max_tokens: 1000 } } },
      parts: {
        sub: ({ turn }) => ({ ...callTools(lookAt(turn)), text: `found ${turn}`, usage: { input: 240, output: 10 } }),
      },
    },
    ({ events, result, of }) => {
      assert.is(ofType(events, 'task_started')[0]?.limits.token_budget, 1000)
      const asked = of('sub')
      assert.is(asked.length, 5, 'four responses and the wrap-up')
      assert.match(
        textOf(lastOf(asked[3])?.content),
        /^\[TOKEN BUDGET WARNING\] 750 of 1,000 total tokens are used \(75%\)/,
      )
      assert.match(textOf(lastOf(asked[4])?.content), /^\[TOKEN BUDGET EXCEEDED\] 1,000 of 1,000 total tokens/)
      const [end] = ofType(events, 'task_completed')
      assert.equal([end?.stop_reason, end?.result, end?.usage?.total_tokens], ['token_capped', 'found 4', 1250])
      assert.is(warnings(events, 'token_budget').length, 2)
      assert.is(result.text, 'got: Task Succeeded (capped: token budget). Result: found 4')
    },
  ),
)

test(
  'a final answer that crosses the budget is not capped',
  both(
    {
      config: { subagents: { token_budget: { max_tokens: 1000 } } },
      parts: { sub: () => ({ text: 'all', usage: { input: 5000, output: 1 } }) },
    },
    ({ events, of }) => {
      const [end] = ofType(events, 'task_completed')
      assert.equal([end?.stop_reason, end?.result, of('sub').length], [null, 'all', 1])
      assert.equal(warnings(events, 'token_budget'), [])
    },
  ),
)

test(
  'a provider that counts nothing does not switch the budget off',
  both(
    {
      config: { subagents: { token_budget: { max_tokens: 4000 } } },
      parts: { sub: ({ turn }) => ({ ...callTools(lookAt(turn)), text: 'word '.repeat(800), usage: null }) },
    },
    ({ events, of }) => {
      const [end] = ofType(events, 'task_completed')
      assert.is(end?.stop_reason, 'token_capped')
      assert.is(end?.usage?.estimated, true)
      assert.ok(of('sub').length <= 4)
    },
  ),
)

test(
  "the lead's budget counts what its subagents spent",
  scene(
    {
      config: { token_budget: { max_tokens: 1000 } },
      parts: {
        lead: inTurns(delegates, ({ results }) => ({ ...callTools(look), text: `${results}` }), say('in short')),
        sub: () => ({ text: 'found', usage: { input: 900, output: 50 } }),
      },
    },
    async (open) => {
      const { events, result, of } = await play(open)
      assert.is(ofType(events, 'run_started')[0]?.limits.token_budget, 1000)
      assert.equal([result.status, result.stop_reason, result.text], ['completed', 'token_capped', 'in short'])
      assert.is(of('lead').length, 3)
      assert.is(result.usage.total_tokens, 950 + 330, 'and each call counts once')
    },
  ),
)

test(
  'an empty answer is asked for once more; a second one fails, and what was said before is kept',
  both({ parts: { sub: inTurns({ ...callTools(look), text: 'a finding' }, say('')) } }, ({ events, result, of }) => {
    const asked = of('sub')
    assert.is(asked.length, 3)
    assert.match(textOf(lastOf(asked[2])?.content), /^\[EMPTY RESPONSE\]/)
    const [end] = ofType(events, 'task_failed')
    assert.equal([end?.stop_reason, end?.partial?.text], [null, 'a finding'])
    assert.match(
      result.text,
      /^got: Task failed\. Error: The model gave an empty answer, .*\n\nPartial result:\na finding$/s,
    )
  }),
)

test(
  'an empty answer of the lead fails its run with MODEL_EMPTY',
  scene({ parts: { lead: () => say(' ') } }, async (open) => {
    const { result, of } = await play(open)
    assert.equal([result.status, result.error?.code, result.turns, of('lead').length], ['failed', 'MODEL_EMPTY', 0, 2])
  }),
)

const markup = '<tool_call>\n{"name": "ls", "arguments": {}}\n</tool_call>'

test(
  'calls written as text are put right once',
  both({ parts: { sub: inTurns(say(markup), say('done')) } }, ({ events, of }) => {
    assert.match(textOf(lastOf(of('sub')[1])?.content), /^\[TOOL CALL NOT RUN\]/)
    assert.is(ofType(events, 'task_completed')[0]?.result, 'done')
  }),
)

test(
  'calls written as text twice fail, and are no partial result',
  both({ parts: { sub: () => say(markup) } }, ({ events }) => {
    const [end] = ofType(events, 'task_failed')
    assert.match(end?.error ?? '', /wrote its tool calls as text/)
    assert.is(end?.partial, null)
  }),
)

test(
  'an agent that only asks for what cannot run is stopped',
  both(
    {
      config: { loop_detection: { enabled: false } },
      parts: { sub: ({ turn }) => callTools(call('ls', `{"path": ${turn}`), call(`tool${turn}`)) },
    },
    ({ events, of }) => {
      assert.is(of('sub').length, 6)
      const [end] = ofType(events, 'task_failed')
      assert.equal(
        [end?.stop_reason, end?.error],
        ['loop_capped', '5 responses in a row asked for nothing that could run.'],
      )
    },
  ),
)

const compacts = (more: object = {}) => ({
  summarization: {
    enabled: true,
    trigger: { type: 'messages', value: 6 },
    keep: { type: 'messages', value: 2 },
    ...more,
  },
})
const SUMMARY = '<new_messages>'
const AFTER = '<durable_context_data>'
const walks = inTurns(callTools(lookAt(1)), callTools(lookAt(2)), callTools(lookAt(3)))

test(
  'a long transcript is summarized: calls keep their results, the task stays, and the summary is data',
  both(
    {
      config: compacts({ model_name: 'second', summary_prompt: 'In short.' }),
      parts: { sub: walks, [SUMMARY]: () => say('looked <b>twice</b>'), [AFTER]: () => say('done') },
    },
    ({ events, of }) => {
      assert.is(ofType(events, 'task_started')[0]?.limits.token_budget, 1_000_000)
      const [summary] = of(SUMMARY)
      assert.equal([of(SUMMARY).length, summary?.body?.model, summary?.body?.tools], [1, 'second-model', undefined])
      assert.equal(
        messagesOf(summary).map(({ role }) => role),
        ['system', 'user'],
      )
      assert.is(messagesOf(summary)[0]?.content, 'In short.')
      assert.match(
        textOf(lastOf(summary)?.content),
        /calls ls .*workspace\/1.*result of ls: .*calls ls .*workspace\/2/s,
      )
      const [after] = of(AFTER)
      assert.equal(
        messagesOf(after).map(({ role }) => role),
        ['system', 'user', 'user', 'assistant', 'tool'],
      )
      assert.match(textOf(messagesOf(after)[1]?.content), /## Conversation summary so far\n\nlooked &lt;b&gt;twice/)
      assert.is(messagesOf(after)[2]?.content, 'sub')
      assert.is(messagesOf(after)[0]?.content, messagesOf(of('sub')[0])[0]?.content, 'the system prompt is as it was')
      const [end] = ofType(events, 'task_completed')
      assert.equal([end?.result, end?.usage?.total_tokens], ['done', 5 * 110])
      assert.equal(warnings(events, 'summarization_unavailable'), [])
    },
  ),
)

test(
  'compaction is no turn',
  scene(
    {
      config: { ...compacts(), lead: { max_turns: 4 } },
      parts: { lead: walks, [SUMMARY]: () => say('looked'), [AFTER]: () => say('done') },
    },
    async (open) => {
      const { result } = await play(open)
      assert.equal([result.status, result.stop_reason, result.text, result.turns], ['completed', null, 'done', 4])
    },
  ),
)

for (const [how, bad] of [
  ['is blank', say(' ')],
  ['was cut', { text: 'looked tw', finishReason: 'length' }],
] as const)
  test(
    `a summary that ${how} leaves the transcript as it is, warns once, and is not asked for at every turn`,
    both(
      {
        config: compacts({ model_name: 'second' }),
        parts: {
          sub: ({ turn }) => (turn < 5 ? callTools(lookAt(turn)) : say('done')),
          [SUMMARY]: ({ request }) => (request.body?.model === 'second-model' ? { status: 400 } : bad),
        },
      },
      ({ events, of }) => {
        assert.equal(
          of(SUMMARY).map(({ body }) => body?.model),
          ['second-model', 'main-model'],
        )
        assert.is(messagesOf(of('sub').at(-1)).length, 1 + 1 + 10)
        assert.equal(
          warnings(events, 'summarization_unavailable').map(({ task_id }) => task_id),
          ['t'],
        )
        assert.is(ofType(events, 'task_completed')[0]?.result, 'done')
      },
    ),
  )

const tooLong: ScriptedReply = { status: 400, body: { error: { message: 'maximum context length is 8192 tokens' } } }

test(
  'a transcript that the provider calls too long is compacted, whatever the triggers say, and sent once more',
  both(
    {
      config: compacts({ trigger: { type: 'messages', value: 1000 } }),
      parts: {
        sub: inTurns(callTools(lookAt(1)), callTools(lookAt(2)), tooLong),
        [SUMMARY]: () => say('looked'),
        [AFTER]: () => say('done'),
      },
    },
    ({ events, of }) => {
      assert.equal([of('sub').length, of(SUMMARY).length, of(AFTER).length], [3, 1, 1])
      assert.is(ofType(events, 'task_completed')[0]?.result, 'done')
    },
  ),
)

test(
  'one that stays too long fails, and what was found is kept',
  both(
    {
      config: compacts({ trigger: { type: 'messages', value: 1000 } }),
      parts: {
        sub: inTurns({ ...callTools(lookAt(1)), text: 'a finding' }, callTools(lookAt(2)), tooLong),
        [SUMMARY]: () => say('looked'),
        [AFTER]: () => tooLong,
      },
    },
    ({ events, of }) => {
      assert.equal([of('sub').length, of(SUMMARY).length, of(AFTER).length], [3, 1, 1])
      const [end] = ofType(events, 'task_failed')
      assert.match(end?.error ?? '', /maximum context length/)
      assert.is(end?.partial?.text, 'a finding')
    },
  ),
)

test(
  'a lead that goes on delegating when all is used up is asked for its answer',
  scene(
    {
      parts: {
        lead: ({ turn, request }) =>
          toolNames(request).length === 0
            ? say('all in all')
            : callTools(call('task', { prompt: `sub ${turn}` }, `t${turn}`)),
        sub: () => say('found'),
      },
      config: { subagents: { max_total_per_run: 2 } },
    },
    async (open) => {
      const { events, result, of } = await play(open)
      assert.is(ofType(events, 'task_started').length, 2)
      assert.is(of('lead').length, 5, 'two that delegate, one more turn, one too many, and the wrap-up')
      assert.equal([result.status, result.stop_reason, result.text], ['completed', 'loop_capped', 'all in all'])
    },
  ),
)

test(
  'a cancel during a summary ends the agent at once',
  scene(
    { config: compacts(), parts: { lead: walks, [SUMMARY]: () => ({ text: 'never', stallAfterChunks: 1 }) } },
    async ({ runtime, model }) => {
      const run = runtime.run('lead')
      for await (const event of run.watch()) {
        if (event.type === 'tool_finished' && event.tool_call_id.includes('_3')) break
      }
      while (!model.requests.some((request) => textOf(lastOf(request)?.content).startsWith(SUMMARY))) {
        await new Promise((resolve) => setTimeout(resolve, 5))
      }
      run.cancel()
      assert.is((await run.result).status, 'cancelled')
    },
  ),
)

test.run()
