import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { call, callTools, type ScriptedCall, say } from '../../src/testing/scripted-reply.ts'
import { assertLawful, collect, ofType, storyOf, taskOf } from '../support/runtime-events.ts'
import { fixtureTool, scene, until, wait } from '../support/runtime-scene.ts'
import { inTurns, must, type Part, silence, turnOf } from '../support/runtime-script.ts'

const task = (prompt: string, args: object = {}, id?: string): ScriptedCall => call('task', { prompt, ...args }, id)
const instant = { tools: [fixtureTool('instant')] }

test(
  'three delegations of one response run at once, and their results come back in the order of the calls',
  scene(
    {
      parts: {
        lead: inTurns(
          callTools(
            task('slow one', { description: 'the slow one' }, 'a'),
            task('sub two', {}, 'b'),
            task('sub three', { subagent_type: 'general-purpose' }, 'c'),
          ),
          ({ results }) => say(results.join(' | ')),
        ),
        slow: () => ({ text: 'result of one', delayMs: 400 }),
        sub: ({ prompt }) => say(`result of ${prompt.slice(4)}`),
      },
    },
    async ({ runtime, model }) => {
      const run = runtime.run('lead the three')
      const events = await collect(run)
      assertLawful(events)
      const result = await run.result
      assert.is(result.status, 'completed')
      assert.is(
        result.text,
        'Task Succeeded. Result: result of one | Task Succeeded. Result: result of two | Task Succeeded. Result: result of three',
      )
      for (const id of ['a', 'b', 'c']) assert.is(storyOf(events, id), 'started running completed')
      assert.equal(
        ofType(events, 'task_started').map(({ task_id }) => task_id),
        ['a', 'b', 'c'],
      )
      assert.is(ofType(events, 'task_completed').at(-1)?.task_id, 'a', 'the slow one ends last')

      const { seq: _, time, run_id, thread_id, ...started } = must(ofType(events, 'task_started')[0])
      assert.equal([run_id, thread_id], [run.id, run.threadId])
      assert.ok(Math.abs(time - Date.now()) < 60_000)
      assert.equal(started, {
        type: 'task_started',
        task_id: 'a',
        description: 'the slow one',
        subagent_type: 'general-purpose',
        model_name: 'main',
        limits: { max_turns: 150, timeout_seconds: 1800, token_budget: 2_000_000 },
      })
      const { seq: __, time: ___, ...ended } = must(ofType(events, 'task_completed').at(-1))
      const usage = { input_tokens: 100, output_tokens: 10, total_tokens: 110 }
      assert.equal(ended, {
        type: 'task_completed',
        ...{ run_id, thread_id, task_id: 'a', result: 'result of one', stop_reason: null, artifacts: [], usage },
        model_name: 'main',
      })
      assert.equal(result.usage, { input_tokens: 500, output_tokens: 50, total_tokens: 550 }, 'every call counts once')
      assert.equal([result.turns, result.stop_reason, result.error], [2, null, null])
      assert.equal(
        result.delegations.map(({ task_id, status, result, error, partial }) => [
          task_id,
          status,
          result,
          error,
          partial,
        ]),
        [
          ['a', 'completed', 'result of one', null, null],
          ['b', 'completed', 'result of two', null, null],
          ['c', 'completed', 'result of three', null, null],
        ],
      )
      assert.is(result.delegations[0]?.description, 'the slow one')
      assert.equal(ofType(events, 'run_finished')[0]?.result, result)
      assert.is(model.requests.length, 5)
      assert.is(new Set(model.requests.map(({ headers }) => headers['traceparent'])).size, 1)
    },
  ),
)

test(
  'a subagent waits for a place as queued, and takes it when another ends',
  scene(
    {
      config: { runtime: { threads: 1, agents_per_thread: 1 } },
      parts: {
        lead: inTurns(callTools(task('sub a', {}, 'a'), task('sub b', {}, 'b'), task('sub c', {}, 'c')), say('done')),
        sub: ({ prompt }) => ({ text: prompt, delayMs: 100 }),
      },
    },
    async ({ runtime }) => {
      const run = runtime.run('lead')
      await until(5000, 'the others wait', () => runtime.stats().tasks.queued === 2)
      assert.is(runtime.stats().tasks.running, 1)
      const events = await collect(run)
      assertLawful(events)
      assert.is(storyOf(events, 'a'), 'started running completed')
      assert.is(storyOf(events, 'b'), 'queued started running completed')
      assert.is(storyOf(events, 'c'), 'queued started running completed')
      assert.equal(
        ofType(events, 'task_queued').map(({ task_id, position }) => [task_id, position]),
        [
          ['b', 1],
          ['c', 2],
        ],
      )
      const order = events.flatMap((event) =>
        /completed|started/.test(event.type) ? [`${event.type} ${taskOf(event)}`] : [],
      )
      assert.ok(order.indexOf('task_completed a') < order.indexOf('task_started b'))
      assert.ok(order.indexOf('task_completed b') < order.indexOf('task_started c'))
    },
  ),
)

for (const agents_per_thread of [1, 2, 8]) {
  test(
    `8 leads that all delegate finish on one thread with ${agents_per_thread} places`,
    scene(
      {
        config: { runtime: { threads: 1, agents_per_thread } },
        parts: {
          lead: inTurns(callTools(task('sub', {}, 'a'), task('sub', {}, 'b'), task('sub', {}, 'c')), say('done')),
          sub: () => say('found'),
        },
      },
      async ({ runtime }) => {
        const runs = Array.from({ length: 8 }, (_, i) => runtime.run(`lead ${i}`))
        for (const events of await Promise.all(runs.map(collect))) {
          assertLawful(events)
          assert.is(ofType(events, 'task_completed').length, 3)
          assert.is(ofType(events, 'run_finished')[0]?.result.status, 'completed')
        }
        assert.equal(runtime.stats().tasks, { queued: 0, running: 0, list: [] })
      },
    ),
  )
}

test(
  '300 runs of 3 subagents of 5 tool turns all complete, and nothing is asked twice',
  scene(
    {
      config: { ...instant, runtime: { threads: 2 } },
      ms: 90_000,
      parts: {
        lead: inTurns(callTools(task('sub', {}, 'a'), task('sub', {}, 'b'), task('sub', {}, 'c')), ({ results }) =>
          say(results.join()),
        ),
        sub: ({ turn, results }) => (turn < 5 ? callTools(call('instant', { turn })) : say(`found ${results}`)),
      },
    },
    async ({ runtime, model }) => {
      const runs = Array.from({ length: 300 }, () => runtime.run('lead'))
      const found = 'Task Succeeded. Result: found at once'
      for (const run of runs) {
        const { status, text, usage, delegations } = await run.result
        assert.equal([status, text], ['completed', [found, found, found].join()])
        assert.is(usage.total_tokens, 110 * 20)
        assert.equal(
          delegations.map(({ status }) => status),
          ['completed', 'completed', 'completed'],
        )
      }
      assert.is(model.requests.length, 300 * (2 + 3 * 6))
      assert.is(model.inFlight(), 0)
      assert.equal(runtime.stats().threads, { alive: 2, replaced: 0 })
      assertLawful(await collect(must(runs.at(-1)).watch()))
    },
  ),
)

const LIMIT = '[SUBAGENT LIMIT'

const trims = [
  {
    name: 'over max_concurrent',
    options: { maxConcurrentSubagents: 2 },
    code: 'delegation_trimmed',
    kept: ['a', 'b'],
    offered: true,
    note: /^\[SUBAGENT LIMIT\] 2 task calls of your last response did not run: at most 2 subagents run at once/,
  },
  {
    name: 'over max_total_per_run',
    options: { maxConcurrentSubagents: 4, maxTotalSubagents: 1 },
    code: 'delegation_limit',
    kept: ['a'],
    offered: false,
    note: /^\[SUBAGENT LIMIT REACHED\] 3 task calls of your last response did not run: this run may start 1 subagents in all/,
  },
] as const

for (const { name, options, code, kept, offered, note } of trims) {
  test(
    `task calls ${name} are taken out of the response, and the lead is told once`,
    scene(
      {
        config: instant,
        parts: {
          lead: inTurns(
            callTools(
              task('sub', {}, 'a'),
              call('instant', {}, 'i'),
              ...['b', 'c', 'd'].map((id) => task('sub', {}, id)),
            ),
            callTools(call('instant', {}, 'j')),
            say('done'),
          ),
          sub: () => say('found'),
        },
      },
      async ({ runtime, model }) => {
        const run = runtime.run('lead', options)
        const events = await collect(run)
        assertLawful(events)
        const warnings = ofType(events, 'warning')
        assert.equal(
          warnings.map(({ code }) => code),
          [code],
        )
        assert.match(warnings[0]?.message ?? '', note)
        assert.equal(
          ofType(events, 'task_started').map(({ task_id }) => task_id),
          kept,
        )
        const [, second, third] = model.requests.filter((request) => turnOf(request).prompt === 'lead')
        const wire = JSON.stringify(second?.body)
        for (const id of ['a', 'i', 'b', 'c', 'd']) {
          assert.is(wire.includes(`"id":"${id}"`), [...kept, 'i'].includes(id), `call ${id} on the wire`)
        }
        assert.match(String(second?.body?.messages?.at(-1)?.content), note)
        assert.is(second?.body?.messages?.at(-1)?.role, 'user')
        assert.not.match(JSON.stringify(third?.body), LIMIT)
        assert.is(
          second?.body?.tools?.some(({ function: { name } }) => name === 'task'),
          offered,
        )
        assert.is((await run.result).status, 'completed')
      },
    ),
  )
}

const refusals: readonly { readonly name: string; readonly args: unknown; readonly says: string | RegExp }[] = [
  {
    name: 'an unknown type',
    args: { prompt: 'sub', subagent_type: 'ghost' },
    says: "Task failed. Error: Unknown subagent type 'ghost'. Available: general-purpose",
  },
  {
    name: 'no prompt',
    args: { description: 'nothing' },
    says: 'Task failed. Error: the argument "prompt" is required: a text that tells the subagent all it needs to know',
  },
  {
    name: 'a prompt that is no text',
    args: { prompt: 5 },
    says: 'Task failed. Error: the argument "prompt" is required: a text that tells the subagent all it needs to know',
  },
  {
    name: 'max_turns below 1',
    args: { prompt: 'sub', max_turns: 0 },
    says: 'Task failed. Error: the argument "max_turns" must be a whole number of at least 1',
  },
  {
    name: 'arguments that are no JSON',
    args: '{"prompt": "su',
    says: /^Task failed\. Error: the arguments could not be read: /,
  },
]

for (const { name, args, says } of refusals) {
  test(
    `a task call with ${name} fails at once, starts nothing and costs its sibling nothing`,
    scene(
      {
        parts: {
          lead: inTurns(callTools({ id: 'bad', name: 'task', args }, task('sub', {}, 'good')), ({ results }) =>
            say(JSON.stringify(results)),
          ),
          sub: () => say('found'),
        },
      },
      async ({ runtime }) => {
        const run = runtime.run('lead')
        const events = await collect(run)
        assertLawful(events)
        const { text, status, delegations } = await run.result
        const [bad, good] = JSON.parse(text)
        assert.is(status, 'completed')
        if (typeof says === 'string') assert.is(bad, says)
        else assert.match(bad, says)
        assert.is(good, 'Task Succeeded. Result: found')
        assert.equal([storyOf(events, 'bad'), storyOf(events, 'good')], ['', 'started running completed'])
        assert.equal(
          delegations.map(({ task_id }) => task_id),
          ['good'],
        )
        const finished = ofType(events, 'tool_finished').find(({ tool_call_id }) => tool_call_id === 'bad')
        assert.is(finished?.status, 'error')
      },
    ),
  )
}

test(
  'an id that the provider uses again gets _2, also on the wire, and an exact replay runs once',
  scene(
    {
      parts: {
        lead: inTurns(
          callTools(task('sub one', {}, 'x'), task('sub one', {}, 'x'), task('sub two', {}, 'x')),
          callTools(task('sub three', {}, 'x')),
          say('done'),
        ),
        sub: ({ prompt }) => say(`found ${prompt}`),
      },
    },
    async ({ runtime, model }) => {
      const run = runtime.run('lead')
      const events = await collect(run)
      assertLawful(events)
      assert.equal(
        ofType(events, 'task_completed')
          .map(({ task_id, result }) => `${task_id} ${result}`)
          .sort(),
        ['x found sub one', 'x_2 found sub two', 'x_3 found sub three'],
      )
      const messages = model.requests.at(-1)?.body?.messages ?? []
      const asked = messages.flatMap(({ tool_calls: calls }) => (calls as { id: string }[] | undefined) ?? [])
      assert.equal(
        asked.map(({ id }) => id),
        ['x', 'x_2', 'x_3'],
      )
      assert.equal(
        messages.flatMap(({ tool_call_id: id }) => id ?? []),
        ['x', 'x_2', 'x_3'],
      )
    },
  ),
)

const stops = [
  { which: 'running', id: 'a', story: 'started cancelled' },
  { which: 'queued', id: 'b', story: 'queued cancelled' },
] as const

for (const { which, id, story } of stops) {
  for (const reason of [undefined, 'no longer needed']) {
    test(
      `cancelTask of a ${which} task ${reason ? 'with' : 'without'} a reason: the lead is told and goes on`,
      scene(
        {
          config: { runtime: { threads: 1, agents_per_thread: 1 } },
          parts: {
            lead: inTurns(callTools(task('hang', {}, 'a'), task('sub', {}, 'b')), ({ results }) =>
              say(JSON.stringify(results)),
            ),
            hang: () => (id === 'a' ? silence : { text: 'found', delayMs: 500 }),
            sub: () => say('found'),
          },
        },
        async ({ runtime, model }) => {
          const run = runtime.run('lead')
          await until(5000, 'the first task thinks, the second waits', () => model.requests.length === 2)
          await until(5000, 'both are known', () => runtime.stats().tasks.list.length === 2)
          run.cancelTask('nobody', 'unknown')
          run.cancelTask(id, reason)
          run.cancelTask(id, 'too late')
          const events = await collect(run)
          assertLawful(events)
          const error = reason ?? 'Cancelled by user'
          const { status, text, delegations } = await run.result
          const results = JSON.parse(text)
          const at = id === 'a' ? 0 : 1
          assert.is(status, 'completed')
          assert.is(results[at], `Task cancelled by user. Error: ${error}`)
          assert.is(results[1 - at], 'Task Succeeded. Result: found')
          assert.is(storyOf(events, id), story)
          assert.equal(
            ofType(events, 'task_cancelled').map(({ task_id, error, partial, usage }) => [
              task_id,
              error,
              partial,
              usage,
            ]),
            [[id, error, null, null]],
          )
          assert.equal([delegations[at]?.status, delegations[at]?.error], ['cancelled', error])
          assert.is(model.inFlight(), 0, 'its request is closed')
        },
      ),
    )
  }
}

const failing = { text: 'half of the answer', toolCalls: [call('instant')] }

test(
  'a subagent whose model fails costs its siblings nothing, and its partial work reaches the lead',
  scene(
    {
      config: instant,
      parts: {
        lead: inTurns(
          callTools(task('breaks', {}, 'a'), task('sub', {}, 'b'), task('broken', {}, 'c')),
          ({ results }) => say(JSON.stringify(results)),
        ),
        breaks: inTurns(failing, { status: 500, body: { error: { message: 'the backend is on fire' } } }),
        broken: () => ({ status: 400, body: { error: { message: 'no such thing' } } }),
        sub: inTurns(callTools(call('instant')), { text: 'found', delayMs: 200 }),
      },
    },
    async ({ runtime }) => {
      const run = runtime.run('lead')
      const events = await collect(run)
      assertLawful(events)
      const { status, text, delegations } = await run.result
      assert.is(status, 'completed')
      const [breaks, sub, broken] = JSON.parse(text)
      assert.match(
        breaks,
        /^Task failed\. Error: Model "main": HTTP 500 .*the backend is on fire.*\n\nPartial result:\nhalf of the answer$/,
      )
      assert.is(sub, 'Task Succeeded. Result: found')
      assert.match(broken, /^Task failed\. Error: Model "main": HTTP 400 .*no such thing[^\n]*$/)
      assert.equal(
        delegations.map(({ status, partial }) => [status, partial?.text ?? null]),
        [
          ['failed', 'half of the answer'],
          ['completed', null],
          ['failed', null],
        ],
      )
      const [first] = ofType(events, 'task_failed').filter(({ task_id }) => task_id === 'a')
      assert.equal(first?.partial, { text: 'half of the answer', files: [] })
      assert.is(first?.usage?.total_tokens, 110)
    },
  ),
)

const caps: readonly { readonly name: string; readonly args: object; readonly sub: Part; readonly says: string }[] = [
  {
    name: 'gets one last call without tools, whose answer is its result',
    args: { max_turns: 2 },
    sub: ({ request }) => (request.body?.tools ? callTools(call('instant')) : say('all I found')),
    says: 'Task Succeeded (capped: turn budget). Result: all I found',
  },
  {
    name: 'that says nothing even then falls back on what it said before',
    args: { max_turns: 2 },
    sub: ({ request }) => (request.body?.tools ? failing : {}),
    says: 'Task Succeeded (capped: turn budget). Result: half of the answer',
  },
  {
    name: 'that never said anything has failed',
    args: { max_turns: '1' },
    sub: ({ request }) => (request.body?.tools ? callTools(call('instant')) : {}),
    says: 'Task failed (capped: turn budget). Error: Reached max_turns=1',
  },
  {
    name: 'cannot have raised the configured cap',
    args: { max_turns: 50 },
    sub: ({ request }) => (request.body?.tools ? callTools(call('instant')) : say('all I found')),
    says: 'Task Succeeded (capped: turn budget). Result: all I found',
  },
]

for (const { name, args, sub, says } of caps) {
  test(
    `a subagent at max_turns ${name}`,
    scene(
      {
        config: { ...instant, subagents: { agents: { 'general-purpose': { max_turns: 3 } } } },
        parts: { lead: inTurns(callTools(task('sub', args, 'a')), ({ results }) => say(results.join())), sub },
      },
      async ({ runtime, model }) => {
        const run = runtime.run('lead')
        const events = await collect(run)
        assertLawful(events)
        const turns = Math.min(3, Number(Object.values(args)[0]))
        assert.is(ofType(events, 'task_started')[0]?.limits.max_turns, turns)
        const { text, delegations } = await run.result
        assert.is(text, says)
        assert.is(delegations[0]?.stop_reason, 'turn_capped')
        const asked = model.requests.filter((request) => turnOf(request).prompt === 'sub')
        assert.is(asked.length, turns + 1)
        const last = asked.at(-1)?.body
        assert.is(last?.tools, undefined)
        assert.match(String(last?.messages?.at(-1)?.content), /Give your final answer now/)
        assert.match(JSON.stringify(last?.messages?.at(-2)), /Not run: limit reached/)
      },
    ),
  )
}

test(
  'a subagent is never offered task, and one that calls it all the same is refused',
  scene(
    {
      parts: {
        lead: inTurns(callTools(task('sub', {}, 'a')), ({ results }) => say(results.join())),
        sub: inTurns(callTools(task('deeper')), ({ results }) => say(`told: ${results}`)),
      },
    },
    async ({ runtime, model }) => {
      const run = runtime.run('lead')
      assertLawful(await collect(run))
      const { text, delegations } = await run.result
      assert.match(text, /told: Task failed\. Error: /)
      assert.is(delegations.length, 1)
      for (const request of model.requests) {
        const names = request.body?.tools?.map(({ function: { name } }) => name) ?? []
        assert.is(names.includes('task'), turnOf(request).prompt === 'lead')
        assert.ok(names.includes('read_file'))
      }
    },
  ),
)

test(
  'without subagents there is no task, neither offered nor run',
  scene(
    { parts: { lead: inTurns(callTools(task('sub', {}, 'a')), ({ results }) => say(results.join())) } },
    async ({ runtime, model }) => {
      const run = runtime.run('lead', { subagentEnabled: false })
      const events = await collect(run)
      assertLawful(events)
      assert.equal(ofType(events, 'run_started')[0]?.effective_policies.subagents, [])
      assert.not.match(JSON.stringify(model.requests[0]?.body?.tools), '"task"')
      assert.match((await run.result).text, /^Task failed\. Error: /)
      assert.equal((await run.result).delegations, [])
    },
  ),
)

test(
  'limits and models of lead and subagent are their own, and the events show the effective ones',
  scene(
    {
      config: {
        lead: { max_turns: 7, timeout_seconds: 70 },
        subagents: { agents: { 'general-purpose': { model: 'second', timeout_seconds: 20, max_turns: 9 } } },
      },
      parts: { lead: inTurns(callTools(task('sub', {}, 'a')), say('done')), sub: () => say('found') },
    },
    async ({ runtime, model }) => {
      const events = await collect(runtime.run('lead', { traceId: '0af7651916cd43dd8448eb211c80319c' }))
      assertLawful(events)
      const [start] = ofType(events, 'run_started')
      assert.is(start?.model_name, 'main')
      assert.is(start?.trace_id, '0af7651916cd43dd8448eb211c80319c')
      assert.equal(start?.limits, { max_turns: 7, timeout_seconds: 70, token_budget: null })
      assert.equal(start?.effective_policies.subagents, ['general-purpose'])
      const [started] = ofType(events, 'task_started')
      assert.is(started?.model_name, 'second')
      assert.equal(started?.limits, { max_turns: 9, timeout_seconds: 20, token_budget: 2_000_000 })
      assert.is(ofType(events, 'task_completed')[0]?.model_name, 'second')
      assert.equal(
        model.requests.map(({ body }) => body?.model),
        ['main-model', 'second-model', 'main-model'],
      )
      for (const { headers } of model.requests) {
        assert.match(String(headers['traceparent']), /^00-0af7651916cd43dd8448eb211c80319c-[0-9a-f]{16}-01$/)
      }
    },
  ),
)

test(
  'states and the text of subagents are told when they are asked for, and only then',
  scene(
    {
      parts: {
        lead: inTurns(callTools(task('sub', {}, 'a')), { text: 'done and dusted', chunks: 3, chunkMs: 5 }),
        sub: () => ({ text: 'found a thing', chunks: 4, chunkMs: 5 }),
      },
    },
    async ({ runtime }) => {
      const plain = await collect(runtime.run('lead'))
      assertLawful(plain)
      assert.equal([...ofType(plain, 'task_delta'), ...ofType(plain, 'state')], [])
      const textOf = (parts: readonly { readonly text: string }[]): string => parts.map(({ text }) => text).join('')
      assert.is(textOf(ofType(plain, 'message_delta')), 'done and dusted')
      assert.is(ofType(plain, 'message').at(-1)?.message.content, 'done and dusted')

      const full = await collect(runtime.run('lead', { include: ['state', 'task_delta'] }))
      assertLawful(full)
      assert.is(textOf(ofType(full, 'task_delta')), 'found a thing')
      assert.equal([...new Set(ofType(full, 'state').map(({ agent }) => agent))], ['lead', 'a'])
      const states = ofType(full, 'state').filter(({ agent }) => agent === 'lead')
      assert.equal(
        states.map(({ value }) => value),
        [{ running: 'thinking' }, { running: 'acting' }, { running: 'thinking' }, 'completed'],
      )
    },
  ),
)

test(
  'stats show every live task as shared memory has it',
  scene(
    {
      config: { ...instant, runtime: { threads: 1, agents_per_thread: 1 } },
      parts: {
        lead: inTurns(callTools(task('sub', {}, 'a'), task('sub', {}, 'b')), say('done')),
        sub: inTurns(callTools(call('instant')), { text: 'found', delayMs: 400 }),
      },
    },
    async ({ runtime, model }) => {
      const run = runtime.run('lead')
      await until(5000, 'the first task is in its second turn', () => model.requests.length === 3)
      await wait(50)
      const { runs, tasks, threads } = runtime.stats()
      assert.equal([runs, tasks.queued, tasks.running, threads], [{ active: 1 }, 1, 1, { alive: 1, replaced: 0 }])
      const [a, b] = tasks.list
      assert.equal(
        [a?.task_id, a?.run_id, a?.subagent_type, a?.status, a?.turns, a?.usage.total_tokens, a?.last_tool],
        ['a', run.id, 'general-purpose', 'running', 1, 110, 'instant'],
      )
      assert.equal([b?.task_id, b?.status, b?.turns, b?.last_tool, b?.running_ms], ['b', 'queued', 0, null, 0])
      await run.result
      assert.equal(runtime.stats().runs, { active: 0 })
    },
  ),
)

test.run()
