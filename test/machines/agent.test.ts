import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createActor, type SnapshotFrom } from 'xstate'
import { type AgentEvent, type AgentInput, type AgentOutput, agentMachine } from '../../machines/agent.machine.ts'
import { trapped, walk } from './walk.ts'

const error = { code: 'MODEL_FAILED', message: 'HTTP 500' } as const
const nothing = { code: 'MODEL_EMPTY', message: 'nothing came' } as const
const written = { code: 'MODEL_FAILED', message: 'calls as text' } as const

const fine = { loop: null, budget: null }
const loop = 'the same calls'
const budget = 'too many tokens'

/** What may happen to the agent, by the word the rows use. `talk` and `wraps` are with words, `calls` and `mum` without. */
const happenings: Readonly<Record<string, (step: number) => AgentEvent>> = {
  answer: (step) => ({ type: 'ANSWERED', step }),
  calls: (step) => ({ type: 'CALLS', step, hasText: false, ...fine }),
  talk: (step) => ({ type: 'CALLS', step, hasText: true, ...fine }),
  loops: (step) => ({ type: 'CALLS', step, hasText: true, loop, budget: null }),
  muteLoops: (step) => ({ type: 'CALLS', step, hasText: false, loop, budget: null }),
  spends: (step) => ({ type: 'CALLS', step, hasText: true, loop: null, budget }),
  muteSpends: (step) => ({ type: 'CALLS', step, hasText: false, loop: null, budget }),
  both: (step) => ({ type: 'CALLS', step, hasText: true, loop, budget }),
  empty: (step) => ({ type: 'EMPTY', step, hasText: false, budget: null, error: nothing }),
  spendsEmpty: (step) => ({ type: 'EMPTY', step, hasText: false, budget, error: nothing }),
  writes: (step) => ({ type: 'MISCALLED', step, hasText: false, budget: null, error: written }),
  spendsWriting: (step) => ({ type: 'MISCALLED', step, hasText: false, budget, error: written }),
  long: (step) => ({ type: 'TOO_LONG', step }),
  short: (step) => ({ type: 'COMPACTED', step }),
  tools: (step) => ({ type: 'TOOLS_DONE', step }),
  asks: (step) => ({ type: 'ASKED', step }),
  wraps: (step) => ({ type: 'WRAPPED_UP', step, hasText: true }),
  mum: (step) => ({ type: 'WRAPPED_UP', step, hasText: false }),
  fails: (step) => ({ type: 'MODEL_FAILED', step, error }),
  cancel: () => ({ type: 'CANCEL' }),
  deadline: () => ({ type: 'DEADLINE' }),
}

const completed: AgentOutput = { status: 'completed', stopReason: null, error: null }
const cancelled: AgentOutput = { status: 'cancelled', stopReason: null, error: null }
const timedOut: AgentOutput = { status: 'timed_out', stopReason: null, error: null }
const needsInput: AgentOutput = { status: 'needs_input', stopReason: null, error: null }
const failedWith = (error: AgentOutput['error']): AgentOutput => ({ status: 'failed', stopReason: null, error })
const failed = failedWith(error)
const capped = (stopReason: AgentOutput['stopReason']): AgentOutput => ({
  status: 'completed',
  stopReason,
  error: null,
})
const mute = (stopReason: AgentOutput['stopReason'], message: string): AgentOutput => ({
  status: 'failed',
  stopReason,
  error: { code: 'CAPPED', message },
})
const turns = capped('turn_capped')
const loops = capped('loop_capped')
const tokens = capped('token_capped')
const muteTurns = (maxTurns: number): AgentOutput => mute('turn_capped', `Reached max_turns=${maxTurns}`)

type Row = readonly [rule: string, turns: string, happens: string, effects: string, output: AgentOutput | null]

/** `turns` is the cap, with `!` where a capped agent gets no wrap-up. A happening marked `~` is of an earlier step. */
const rows: readonly Row[] = [
  ['answers at once', '3', 'answer', 'think record', completed],
  ['runs the tools it asked for, then answers', '3', 'calls tools answer', 'think record act think record', completed],
  [
    'goes on while it has turns',
    '3',
    'calls tools talk tools answer',
    'think record act think record act think record',
    completed,
  ],
  ['an answer in the last turn is not capped', '1', 'answer', 'think record', completed],
  [
    'stale outcomes are ignored',
    '3',
    'calls tools ~answer ~empty ~writes ~calls ~loops ~spends ~long ~fails answer',
    'think record act think record',
    completed,
  ],
  [
    'stale tools are ignored',
    '3',
    'calls tools calls ~tools ~asks tools answer',
    'think record act think record act think record',
    completed,
  ],
  [
    'an outcome of another effect is ignored',
    '3',
    'tools short wraps calls fails long tools answer',
    'think record act think record',
    completed,
  ],
  ['a model that fails fails the agent', '3', 'fails', 'think', failed],
  ['a model that fails after tools fails the agent', '3', 'talk tools fails', 'think record act think', failed],

  ['an empty answer is asked for once more', '3', 'empty answer', 'think think record', completed],
  ['a second empty answer fails', '3', 'empty empty', 'think think', failedWith(nothing)],
  [
    'a second empty answer fails whatever was said before',
    '3',
    'talk tools empty empty',
    'think record act think think',
    failedWith(nothing),
  ],
  ['an empty answer is no turn', '1', 'empty answer', 'think think record', completed],
  [
    'work in between gives the next empty answer its own retry',
    '9',
    'empty calls tools empty calls tools empty answer',
    'think think record act think think record act think think record',
    completed,
  ],
  ['calls written as text are put right once', '3', 'writes answer', 'think record think record', completed],
  ['calls written as text twice fail', '3', 'writes writes', 'think record think record', failedWith(written)],
  ['an empty answer after calls written as text fails', '3', 'writes empty', 'think record think', failedWith(nothing)],
  ['calls written as text after an empty answer fail', '3', 'empty writes', 'think think record', failedWith(written)],
  ['calls written as text are a turn', '2', 'writes talk wraps', 'think record think record wrapUp recordText', turns],
  ['calls written as text in the last turn are capped', '1', 'writes wraps', 'think record wrapUp recordText', turns],

  [
    'in the last turn the tools do not run: it wraps up',
    '2',
    'calls tools calls',
    'think record act think record wrapUp',
    null,
  ],
  ['what it says in wrapping up is the result', '1', 'calls wraps', 'think record wrapUp recordText', turns],
  [
    'a wrap-up that fails leaves what was said before',
    '2',
    'talk tools calls fails',
    'think record act think record wrapUp recordText',
    turns,
  ],
  ['an empty wrap-up leaves what was said before', '1', 'talk mum', 'think record wrapUp recordText', turns],
  ['with nothing to say at the cap it failed', '1', 'calls mum', 'think record wrapUp recordText', muteTurns(1)],
  [
    'a wrap-up that fails with nothing said failed capped',
    '1',
    'calls fails',
    'think record wrapUp recordText',
    muteTurns(1),
  ],
  [
    'a stale outcome does not end the wrap-up',
    '1',
    'calls ~wraps ~mum ~fails wraps',
    'think record wrapUp recordText',
    turns,
  ],
  [
    'an answer of another kind does not end the wrap-up',
    '1',
    'calls answer calls empty tools wraps',
    'think record wrapUp recordText',
    turns,
  ],
  ['without wrap-up the capped response ends it', '1!', 'talk', 'think recordText', turns],
  [
    'without wrap-up words of an earlier turn count',
    '2!',
    'talk tools calls',
    'think record act think recordText',
    turns,
  ],
  [
    'without wrap-up and without a word it failed',
    '2!',
    'calls tools calls',
    'think record act think recordText',
    muteTurns(2),
  ],

  ['a loop is stopped and wrapped up', '9', 'loops wraps', 'think record wrapUp recordText', loops],
  ['a loop without a word failed', '9', 'muteLoops mum', 'think record wrapUp recordText', mute('loop_capped', loop)],
  ['without wrap-up a loop ends at once', '9!', 'loops', 'think recordText', loops],
  ['a spent budget is stopped and wrapped up', '9', 'spends wraps', 'think record wrapUp recordText', tokens],
  ['a spent budget without a word failed', '9!', 'muteSpends', 'think recordText', mute('token_capped', budget)],
  ['a loop goes before a spent budget', '9', 'both wraps', 'think record wrapUp recordText', loops],
  ['a loop goes before the last turn', '1', 'loops wraps', 'think record wrapUp recordText', loops],
  ['a spent budget goes before the last turn', '1!', 'spends', 'think recordText', tokens],
  [
    'an empty answer over the budget is wrapped up, not asked for again',
    '9',
    'spendsEmpty wraps',
    'think record wrapUp recordText',
    tokens,
  ],
  [
    'calls written as text over the budget are wrapped up',
    '9',
    'spendsWriting wraps',
    'think record wrapUp recordText',
    tokens,
  ],

  [
    'a transcript that is too long is compacted first',
    '3',
    'long short answer',
    'think compact think record',
    completed,
  ],
  ['compaction is no turn', '1', 'long short long short answer', 'think compact think compact think record', completed],
  ['a stale compaction is ignored', '3', 'long ~short short answer', 'think compact think record', completed],
  ['compaction keeps its correction', '3', 'empty long short empty', 'think think compact think', failedWith(nothing)],
  ['a question to the user ends it', '3', 'calls asks', 'think record act', needsInput],

  ['a cancel ends it while it thinks', '3', 'cancel', 'think', cancelled],
  ['a cancel ends it while it acts', '3', 'talk cancel', 'think record act', cancelled],
  ['a cancel ends it while it compacts', '3', 'long cancel', 'think compact', cancelled],
  ['a cancel ends it while it wraps up', '1', 'talk cancel', 'think record wrapUp', cancelled],
  ['a deadline ends it while it thinks', '3', 'deadline', 'think', timedOut],
  ['a deadline ends it while it acts', '3', 'talk deadline', 'think record act', timedOut],
  ['a deadline ends it while it compacts', '3', 'long deadline', 'think compact', timedOut],
  ['a deadline ends it while it wraps up', '1', 'talk deadline', 'think record wrapUp', timedOut],
  ['the first of cancel and deadline counts', '3', 'cancel deadline', 'think', cancelled],
  ['the first of deadline and cancel counts', '3', 'deadline cancel', 'think', timedOut],
  [
    'what comes after the end changes nothing',
    '1',
    'answer cancel deadline calls empty wraps',
    'think record',
    completed,
  ],
]

const inputOf = (turns: string): AgentInput => ({
  agent: 1,
  maxTurns: Number.parseInt(turns, 10),
  wrapUp: !turns.endsWith('!'),
})

for (const [rule, maxTurns, happens, expected, output] of rows) {
  test(rule, () => {
    const done: string[] = []
    const log = (name: string) => () => void done.push(name)
    const effects = ['think', 'act', 'compact', 'wrapUp', 'record', 'recordText'] as const
    const machine = agentMachine.provide({ actions: Object.fromEntries(effects.map((name) => [name, log(name)])) })
    const actor = createActor(machine, { input: inputOf(maxTurns) }).start()
    for (const word of happens.split(' ')) {
      const { step } = actor.getSnapshot().context
      const happening = happenings[word.replace('~', '')]
      assert.ok(happening, word)
      actor.send(happening(word.startsWith('~') ? step - 1 : step))
    }
    assert.is(done.join(' '), expected)
    assert.equal(actor.getSnapshot().output ?? null, output)
  })
}

type State = SnapshotFrom<typeof agentMachine>

/** Compaction is the worker's to bound, so here it comes in the first steps only: the walk would have no end. */
const isPossible = (event: AgentEvent): boolean => event.type !== 'TOO_LONG' || event.step < 4

/** What may happen now, of the step under way, of the one before and of one that is not due yet. */
const offered = ({ context: { step } }: State): readonly AgentEvent[] =>
  Object.values(happenings)
    .flatMap((happening) => [happening(step), happening(step - 1), happening(step + 1)])
    .filter(isPossible)

const isStale = ({ context }: State, event: AgentEvent): boolean => 'step' in event && event.step !== context.step

/** `spoke` is whether the agent has said anything by then. */
type End = (state: State['context'], event: AgentEvent, spoke: boolean) => AgentOutput | null

/** Which cap a response runs into, by the order in which the guards are asked. */
const capOf = ({ turn, maxTurns }: State['context'], event: AgentEvent): AgentOutput['stopReason'] => {
  if ('loop' in event && event.loop !== null) return 'loop_capped'
  if ('budget' in event && event.budget !== null) return 'token_capped'
  return event.type !== 'EMPTY' && turn + 1 === maxTurns ? 'turn_capped' : null
}

const atCap = (reason: AgentOutput['stopReason'], maxTurns: number, spoke: boolean): AgentOutput => {
  const why = { loop_capped: loop, token_capped: budget, turn_capped: `Reached max_turns=${maxTurns}` }
  return spoke ? capped(reason) : mute(reason, reason === null ? '' : why[reason])
}

/** A response that is no answer: it ends the agent at a cap without wrap-up, or where it was put right already. */
const unfinished: End = (state, event, spoke) => {
  const reason = capOf(state, event)
  if (reason !== null) return state.wrapUp ? null : atCap(reason, state.maxTurns, spoke)
  return 'error' in event && state.corrections > 0 ? failedWith(event.error) : null
}

const wrappedUp: End = ({ cap, maxTurns }, _, spoke) => atCap(cap?.reason ?? null, maxTurns, spoke)

/** What ends the agent in each phase, beside a cancel and a deadline. */
const ends: Readonly<Record<string, Readonly<Record<string, End>>>> = {
  thinking: {
    ANSWERED: () => completed,
    MODEL_FAILED: () => failed,
    CALLS: unfinished,
    EMPTY: unfinished,
    MISCALLED: unfinished,
  },
  acting: { ASKED: () => needsInput },
  compacting: {},
  wrapping_up: { WRAPPED_UP: wrappedUp, MODEL_FAILED: wrappedUp },
}

const endOf = ({ value, context }: State, event: AgentEvent): AgentOutput | null => {
  if (event.type === 'CANCEL') return cancelled
  if (event.type === 'DEADLINE') return timedOut
  const end = ends[(value as { running: string }).running]?.[event.type]
  return end?.(context, event, context.hasText || ('hasText' in event && event.hasText)) ?? null
}

for (const cap of ['1', '1!', '2', '2!', '3', '3!']) {
  const moves = walk(agentMachine, inputOf(cap), offered)
  const live = moves.filter(({ from }) => from.status === 'active')
  const ended = moves.filter(({ from }) => from.status === 'done')

  test(`cap ${cap}: from every state an end can be reached, and nothing goes wrong on the way`, () => {
    assert.is(live.length + ended.length, moves.length)
    assert.equal(trapped(moves), [])
    const capped = ['turn_capped', 'token_capped', 'loop_capped']
    const asked = cap.startsWith('1') ? [] : ['needs_input']
    const ends = ['completed', 'failed', 'timed_out', 'cancelled', ...capped, ...asked]
    assert.equal(new Set(ended.map(({ from }) => from.value)), new Set(ends))
  })

  test(`cap ${cap}: every move ends the agent exactly as the rules say`, () => {
    for (const { from, event, to, isStill, name } of live) {
      if (isStale(from, event)) assert.ok(isStill, name)
      else assert.equal(to.output ?? null, endOf(from, event), name)
      assert.ok(to.context.turn <= to.context.maxTurns, name)
      assert.ok(to.context.corrections <= 1, name)
    }
  })

  test(`cap ${cap}: an end ignores everything`, () => {
    for (const { isStill, name } of ended) assert.ok(isStill, name)
  })
}

test.run()
