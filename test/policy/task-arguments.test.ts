import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { readTaskArguments, type TaskAsk } from '../../src/policy/task-arguments.ts'

const plain = { description: 'do it', prompt: 'do it', subagentType: 'general-purpose', maxTurns: null }
const long = 'word '.repeat(99)
const late = `${'\n'.repeat(999)}do it`

/** Beside the prompt `do it`; and what they change. */
const read: readonly [rule: string, args: Record<string, unknown>, change: Partial<TaskAsk>][] = [
  ['a prompt is enough', {}, {}],
  [
    'task is another name for prompt',
    { prompt: undefined, task: 'do that' },
    { prompt: 'do that', description: 'do that' },
  ],
  ['agent is another name for subagent_type', { agent: 'bash' }, { subagentType: 'bash' }],
  ['the proper names count first', { task: 'x', subagent_type: 'a', agent: 'b' }, { subagentType: 'a' }],
  ['null is left out', { subagent_type: null, agent: 'b', description: null, max_turns: null }, { subagentType: 'b' }],
  ['a blank type is the default', { subagent_type: ' ' }, {}],
  ['a type is trimmed', { subagent_type: ' bash\n' }, { subagentType: 'bash' }],
  ['a description is the label, on one line', { description: 'the\nlabel' }, { description: 'the label' }],
  ['a description is at most 200', { description: long }, { description: `${long.slice(0, 199)}…` }],
  ['without one the first words are', { prompt: long }, { prompt: long, description: `${long.slice(0, 59)}…` }],
  ['a blank one is none', { prompt: long, description: ' ' }, { prompt: long, description: `${long.slice(0, 59)}…` }],
  ['the first words come after the white space', { prompt: late }, { prompt: late }],
  ['context follows under its heading', { context: 'facts' }, { prompt: 'do it\n\n## Context\n\nfacts' }],
  ['blank context is none', { context: '\n' }, {}],
  ['turns may be lowered', { max_turns: 3 }, { maxTurns: 3 }],
  ['turns may come as text', { max_turns: ' 3 ' }, { maxTurns: 3 }],
  ['other arguments are ignored', { tools: ['bash'], constructor: 1 }, {}],
]

for (const [rule, args, change] of read) {
  test(rule, () =>
    assert.equal(readTaskArguments({ prompt: 'do it', ...args }), { ok: true, ask: { ...plain, ...change } }),
  )
}

type Wrong = [rule: string, args: Record<string, unknown>, names: string]

const wrong: readonly Wrong[] = [
  ['no prompt', {}, 'prompt'],
  ['a blank prompt', { prompt: ' \n' }, 'prompt'],
  ['a blank task, by the name it came under', { task: '' }, 'task'],
  ['a prompt that is no text', { prompt: { text: 'do it' } }, 'prompt'],
  ['a type that is no text', { prompt: 'do it', agent: 7 }, 'agent'],
  ['a description that is no text', { prompt: 'do it', description: ['a'] }, 'description'],
  ['a context that is no text', { prompt: 'do it', context: {} }, 'context'],
  ...[0, -1, 1.5, Number.NaN, Number.POSITIVE_INFINITY, 'many', '', true, [3]].map(
    (max_turns) =>
      [`max_turns of ${JSON.stringify(max_turns)}`, { prompt: 'do it', max_turns }, 'max_turns'] satisfies Wrong,
  ),
]

for (const [rule, args, names] of wrong) {
  test(`${rule} is refused by name`, () => {
    const result = readTaskArguments(args)
    assert.is(result.ok, false)
    if (!result.ok) assert.ok(result.error.startsWith(`the argument "${names}" `), result.error)
  })
}

test.run()
