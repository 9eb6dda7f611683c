import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { configSchema } from '../../src/config/schema.ts'
import { bare, pathsOf, schemaAt } from '../../src/config/shape.ts'
import { check, treeOf } from './support.ts'

const MAX_SECONDS = 31_536_000
const MODEL = { name: 'main', model: 'm' }
const TOOL = { name: 'lookup', use: './lookup.mjs#lookup' }
const AGENT = { description: 'd', system_prompt: 'p' }

type Row = readonly [path: string, low: number, high: number | null, beside?: object]

const whole: readonly Row[] = [
  ['subagents.timeout_seconds', 1, MAX_SECONDS],
  ['subagents.max_turns', 1, null],
  ['subagents.max_concurrent', 1, 64],
  ['subagents.max_total_per_run', 1, 50],
  ['subagents.token_budget.max_tokens', 1000, null],
  ['subagents.token_budget.max_input_tokens', 1, null],
  ['subagents.token_budget.max_output_tokens', 1, null],
  ['subagents.agents.bash.timeout_seconds', 1, MAX_SECONDS],
  ['subagents.agents.bash.max_turns', 1, null],
  ['subagents.agents.bash.token_budget.max_tokens', 1000, null],
  ['subagents.custom_agents.x.max_turns', 1, null, AGENT],
  ['subagents.custom_agents.x.timeout_seconds', 1, MAX_SECONDS, AGENT],
  ['token_budget.max_input_tokens', 1, null],
  ['token_budget.max_output_tokens', 1, null],
  ['tool_output.preview_head_chars', 0, null],
  ['tool_output.preview_tail_chars', 0, null],
  ['tool_output.fallback_max_chars', 0, null],
  ['tool_output.fallback_head_chars', 0, null],
  ['tool_output.fallback_tail_chars', 0, null],
  ['web.max_chars', 1, null],
  ['lead.max_turns', 1, null],
  ['lead.timeout_seconds', 1, MAX_SECONDS],
  ['token_budget.max_tokens', 1000, null],
  ['loop_detection.window_size', 1, null],
  ['loop_detection.max_tracked_threads', 1, null],
  ['summarization.trim_tokens_to_summarize', 1, null],
  ['tool_search.auto_promote_top_k', 1, 5],
  ['tool_output.externalize_min_chars', 0, null],
  ['tool_output.tool_overrides.bash', 0, null],
  ['models.0.max_retries', 0, 10, MODEL],
  ['models.0.context_window', 1, null, MODEL],
  ['web.search.max_results', 1, 50],
  ['acp_agents.x.timeout_seconds', 1, MAX_SECONDS, { command: 'c', description: 'd' }],
  ['http.port', 0, 65_535],
  ['runtime.threads', 1, 64],
  ['runtime.agents_per_thread', 1, 100_000],
  ['runtime.tool_processes', 1, 256],
  ['runtime.tool_memory_mb', 32, 1_048_576],
  ['runtime.commands', 1, 10_000],
  ['runtime.grace_ms', 0, 600_000],
  ['runtime.wedged_ms', 500, 3_600_000],
]

const fractions: readonly Row[] = [
  ['subagents.token_budget.hard_stop_threshold', 0.7, 1],
  ['subagents.token_budget.warn_threshold', 0, 1],
  ['token_budget.warn_threshold', 0, 1],
  ['token_budget.hard_stop_threshold', 0.8, 1],
  ['models.0.connect_timeout_seconds', 0.1, MAX_SECONDS, MODEL],
  ['models.0.first_byte_timeout_seconds', 0.1, MAX_SECONDS, MODEL],
  ['models.0.stream_idle_timeout_seconds', 0.1, MAX_SECONDS, MODEL],
  ['models.0.timeout_seconds', 0.1, MAX_SECONDS, MODEL],
  ['tools.0.timeout_seconds', 0.1, MAX_SECONDS, TOOL],
  ['sandbox.bash_timeout_seconds', 0.1, MAX_SECONDS],
  ['web.timeout_seconds', 0.1, MAX_SECONDS],
  ['mcp_servers.x.timeout_seconds', 0.1, MAX_SECONDS, { command: 'c' }],
]

const pairsOf = ['warn_threshold', 'hard_limit', 'tool_freq_warn', 'tool_freq_hard_limit', 'warn']

/** Keys whose bounds are those of the key beside them, or depend on it. */
const beside = (path: string): boolean =>
  /^(?:summarization\.|subagents\.agents\.\*\.token_budget\.)/.test(path) ||
  (path.startsWith('loop_detection.') && pairsOf.includes(path.split('.').at(-1) ?? ''))

const isNumber = (path: string): boolean =>
  ['int', 'number'].includes(
    bare(
      schemaAt(
        configSchema,
        path.split('.').map((key) => (key === '*' ? '0' : key)),
      ) ?? configSchema,
    ).def.type,
  )

test('every number of the schema has a row', () => {
  const rows = [...whole, ...fractions].map(([path]) => path.replace(/\.(?:0|x|bash)(?=\.|$)/g, '.*'))
  assert.equal(
    pathsOf(configSchema).filter((path) => isNumber(path) && !beside(path) && !rows.includes(path)),
    [],
  )
})

/** What is said of a value, with the keys beside it that its entry needs. */
const said = async ([path, , , beside = {}]: Row, value: unknown): Promise<readonly string[]> => {
  const at = path.lastIndexOf('.')
  const tree = treeOf(path.slice(0, at), { ...beside, [path.slice(at + 1)]: value })
  const { problems } = await check(tree)
  return problems
    .filter(({ level, code }) => level === 'error' && code !== 'name_taken')
    .map((p) => `${p.path}: ${p.message}`)
}

for (const row of [...whole, ...fractions]) {
  const [path, low, high] = row
  test(`${path} holds ${low} to ${high ?? 'any number'} and nothing else`, async () => {
    assert.equal(await said(row, low), [], 'the least')
    assert.equal(await said(row, high ?? Number.MAX_SAFE_INTEGER), [], 'the greatest')
    for (const value of [
      low - 0.5 < 0 ? -1 : low / 2 - 0.01,
      ...(high === null ? [] : [high + 1]),
      String(low),
      true,
      [low],
    ]) {
      const [message = 'accepted', ...more] = await said(row, value)
      assert.equal(more, [])
      assert.ok(message.startsWith(`${path}: must be `), `${JSON.stringify(value)}: ${message}`)
      assert.ok(path.endsWith('threshold') || message.includes(String(low)), message)
      if (high !== null) assert.ok(path.endsWith('threshold') || message.includes(String(high)), message)
    }
  })
}

for (const row of whole) {
  test(`${row[0]} is a whole number`, async () => {
    assert.match((await said(row, row[1] + 0.5))[0] ?? 'accepted', 'must be a whole number')
  })
}

const pairs = [
  { tree: { loop_detection: { warn_threshold: 5, hard_limit: 3 } }, at: 'loop_detection.hard_limit' },
  { tree: { loop_detection: { warn_threshold: 6 } }, at: 'loop_detection.hard_limit' },
  { tree: { loop_detection: { hard_limit: 2 } }, at: 'loop_detection.hard_limit' },
  { tree: { loop_detection: { tool_freq_warn: 51 } }, at: 'loop_detection.tool_freq_hard_limit' },
  {
    tree: { loop_detection: { tool_freq_overrides: { bash: { warn: 9, hard_limit: 8 } } } },
    at: 'loop_detection.tool_freq_overrides.bash.hard_limit',
  },
  { tree: { token_budget: { hard_stop_threshold: 0.7 } }, at: 'token_budget.hard_stop_threshold' },
  {
    tree: { subagents: { token_budget: { hard_stop_threshold: 0.6 } } },
    at: 'subagents.token_budget.hard_stop_threshold',
  },
  {
    tree: {
      subagents: {
        token_budget: { warn_threshold: 0.9 },
        agents: { bash: { token_budget: { hard_stop_threshold: 0.8 } } },
      },
    },
    at: 'subagents.agents.bash.token_budget.hard_stop_threshold',
  },
  { tree: { summarization: { keep: { type: 'fraction', value: 1.5 } } }, at: 'summarization.keep.value' },
  { tree: { summarization: { trigger: [{ type: 'tokens', value: 0.5 }] } }, at: 'summarization.trigger.0.value' },
  { tree: { summarization: { trigger: { type: 'messages', value: 0 } } }, at: 'summarization.trigger.value' },
]

for (const { tree, at } of pairs) {
  test(`${JSON.stringify(tree)} is refused at ${at}`, async () => {
    const errors = (await check(tree)).problems.filter(({ level }) => level === 'error')
    assert.equal(
      errors.map(({ path }) => path),
      [at],
    )
    assert.match(errors[0]?.message ?? '', /must be (at least|a whole number|a number above 0 and up to 1)/)
  })
}

test('a pair that is the wrong way round is told beside other faults of its section', async () => {
  const { problems } = await check({ loop_detection: { warn_threshold: 5, hard_limit: 3, windowSize: 1 } })
  assert.equal(
    problems
      .filter(({ level }) => level === 'error')
      .map(({ path }) => path)
      .sort(),
    ['loop_detection.hard_limit', 'loop_detection.windowSize'],
  )
})

test.run()
