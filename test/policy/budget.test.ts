import { test } from 'uvu'
import * as assert from 'uvu/assert'
import type { TokenBudget } from '../../src/contract/guards.ts'
import { type BudgetKeys, budgetNote, budgetVerdict, leadBudget, subagentBudget } from '../../src/policy/budget.ts'

const UNSET: BudgetKeys = {
  enabled: null,
  max_tokens: null,
  max_input_tokens: null,
  max_output_tokens: null,
  warn_threshold: null,
  hard_stop_threshold: null,
}
const keys = (given: Partial<BudgetKeys> = {}): BudgetKeys => ({ ...UNSET, ...given })

const SUBAGENT: TokenBudget = {
  maxTokens: 2_000_000,
  maxInputTokens: null,
  maxOutputTokens: null,
  warnAt: 0.7,
  stopAt: 1,
}
const LEAD: TokenBudget = { ...SUBAGENT, maxTokens: 200_000, warnAt: 0.8 }

type Merge = readonly [
  rule: string,
  shared: Partial<BudgetKeys>,
  own: Partial<BudgetKeys> | null,
  compacts: boolean,
  budget: Partial<TokenBudget> | null,
]

const merges: readonly Merge[] = [
  ['nothing is said: 2,000,000 without compaction (budget-06)', {}, null, false, {}],
  ['nothing is said: 1,000,000 with compaction (budget-06)', {}, null, true, { maxTokens: 1_000_000 }],
  [
    'what is pinned does not follow compaction (budget-07)',
    { max_tokens: 500_000 },
    null,
    true,
    { maxTokens: 500_000 },
  ],
  ['what is pinned as the default neither', { max_tokens: 2_000_000 }, null, true, {}],
  [
    'its own limit goes before the shared one (budget-07)',
    { max_tokens: 500_000 },
    { max_tokens: 300_000 },
    true,
    { maxTokens: 300_000 },
  ],
  [
    'budget-08: a limit alone keeps the guard on and its thresholds',
    {},
    { max_tokens: 300_000 },
    true,
    { maxTokens: 300_000 },
  ],
  [
    'each key is merged by itself',
    { warn_threshold: 0.5, max_output_tokens: 9 },
    { max_input_tokens: 7 },
    false,
    { warnAt: 0.5, maxOutputTokens: 9, maxInputTokens: 7 },
  ],
  [
    'all keys of its own',
    { warn_threshold: 0.5 },
    { warn_threshold: 0.6, hard_stop_threshold: 0.9, max_output_tokens: 5 },
    false,
    { warnAt: 0.6, stopAt: 0.9, maxOutputTokens: 5 },
  ],
  ['switched off for all', { enabled: false }, null, false, null],
  ['switched off for all, and a limit of its own', { enabled: false }, { max_tokens: 5000 }, false, null],
  ['switched off for all, and on for one', { enabled: false }, { enabled: true }, false, {}],
  ['switched off for one', { enabled: true }, { enabled: false }, false, null],
]

for (const [rule, shared, own, compacts, budget] of merges) {
  test(`a subagent's budget: ${rule}`, () =>
    assert.equal(subagentBudget(keys(shared), own && keys(own), compacts), budget && { ...SUBAGENT, ...budget }))
}

const leads: readonly (readonly [rule: string, given: Partial<BudgetKeys>, budget: Partial<TokenBudget> | null])[] = [
  ['off while nothing is said', {}, null],
  ['off while only thresholds are said', { warn_threshold: 0.5 }, null],
  ['on by a limit', { max_tokens: 5000 }, { maxTokens: 5000 }],
  ['on by a limit of one dimension', { max_output_tokens: 9 }, { maxOutputTokens: 9 }],
  ['on by its switch', { enabled: true }, {}],
  ['off by its switch, whatever the limit', { enabled: false, max_tokens: 5000 }, null],
  [
    'thresholds of its own',
    { enabled: true, warn_threshold: 0.5, hard_stop_threshold: 0.6 },
    { warnAt: 0.5, stopAt: 0.6 },
  ],
]

for (const [rule, given, budget] of leads) {
  test(`the lead's budget: ${rule}`, () => assert.equal(leadBudget(keys(given)), budget && { ...LEAD, ...budget }))
}

const TEN: TokenBudget = { ...SUBAGENT, maxTokens: 10_000 }

type Verdict = readonly [
  rule: string,
  budget: TokenBudget,
  input: number,
  output: number,
  said: RegExp | null,
  stop?: true,
]

const verdicts: readonly Verdict[] = [
  ['below the warning', TEN, 6_000, 999, null],
  ['at the warning', TEN, 7_000, 0, /^7,000 of 10,000 total tokens are used \(70%\)\.$/],
  ['budget-01: input and output together', TEN, 7_400, 0, /7,400 of 10,000 total .*74%/],
  ['just below the end', TEN, 9_000, 999, /9,999 of 10,000/],
  ['at the end', TEN, 9_000, 1_000, /10,000 of 10,000 total .*100%/, true],
  ['budget-03: past the end', TEN, 10_000, 500, /10,500 of 10,000 total .*105%/, true],
  [
    'budget-04: output alone',
    { ...SUBAGENT, maxTokens: 100_000, maxOutputTokens: 5_000 },
    4_000,
    6_000,
    /6,000 of 5,000 output .*120%/,
    true,
  ],
  ['input alone', { ...SUBAGENT, maxInputTokens: 1_000 }, 800, 0, /800 of 1,000 input .*80%/],
  ['the fullest decides', { ...TEN, maxInputTokens: 10_000, maxOutputTokens: 100 }, 7_000, 80, /80 of 100 output/],
  ['of equals the total', { ...TEN, maxInputTokens: 10_000 }, 8_000, 0, /total/],
  ['of equals input before output', { ...SUBAGENT, maxInputTokens: 10, maxOutputTokens: 10 }, 9, 9, /input/],
  ['an end below 1', { ...TEN, stopAt: 0.9 }, 9_000, 0, /9,000 of 10,000/, true],
  ['an end at the warning', { ...TEN, warnAt: 0.7, stopAt: 0.7 }, 7_000, 0, /7,000/, true],
]

for (const [rule, budget, input_tokens, output_tokens, said, stop = false] of verdicts) {
  test(rule, () => {
    // What the provider calls the total does not count.
    const verdict = budgetVerdict(budget, { input_tokens, output_tokens, total_tokens: 1e9 })
    if (said === null) assert.is(verdict, null)
    else assert.match(verdict?.why ?? '', said)
    assert.is(verdict?.stop ?? false, stop)
  })
}

test('a warning carries its tag, and says when its figures are estimates', () => {
  const used = { input_tokens: 8_000, output_tokens: 0, total_tokens: 8_000, estimated: true } as const
  const verdict = budgetVerdict(TEN, used)
  assert.match(
    verdict ? budgetNote(verdict) : '',
    /^\[TOKEN BUDGET WARNING\] About 8,000 of 10,000 total tokens are used/,
  )
})

test.run()
