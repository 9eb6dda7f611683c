import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createActor, type SnapshotFrom } from 'xstate'
import { type AgentEvent, type AgentInput, type AgentOutput, agentMachine } from '../../machines/agent.machine.ts'
import { trapped, walk } from './walk.ts'

const error = { code: 'MODEL_FAILED', message: 'HTTP 500' } as const

/** What may happen to the agent, by the word the rows use. `talk` is calls with words beside them. */
const happenings: Readonly<Record<string, (step: number) => AgentEvent>> = {
  answer: (step) => ({ type: 'ANSWERED', step, hasText: true }),
  empty: (step) => ({ type: 'ANSWERED', step, hasText: false }),
  calls: (step) => ({ type: 'CALLS', step, hasText: false }),
  talk: (step) => ({ type: 'CALLS', step, hasText: true }),
  tools: (step) => ({ type: 'TOOLS_DONE', step }),
  fails: (step) => ({ type: 'MODEL_FAILED', step, error }),
  cancel: () => ({ type: 'CANCEL' }),
  deadline: () => ({ type: 'DEADLINE' }),
}

const completed: AgentOutput = { status: 'completed', stopReason: null, error: null }
const cancelled: AgentOutput = { status: 'cancelled', stopReason: null, error: null }
const timedOut: AgentOutput = { status: 'timed_out', stopReason: null, error: null }
const failed: AgentOutput = { status: 'failed', stopReason: null, error }
const noAnswer: AgentOutput = {
  status: 'failed',
  stopReason: null,
  error: { code: 'MODEL_EMPTY', message: 'The model gave an empty answer.' },
}
const capped: AgentOutput = { status: 'completed', stopReason: 'turn_capped', error: null }
const mute = (maxTurns: number): AgentOutput => ({
  status: 'failed',
  stopReason: 'turn_capped',
  error: { code: 'CAPPED', message: `Reached max_turns=${maxTurns}` },
})

type Row = readonly [rule: string, turns: string, happens: string, effects: string, output: AgentOutput | null]

/** `turns` is the cap, with `!` where a capped agent gets no wrap-up. A happening marked `~` is of an earlier step. */
const rows: readonly Row[] = [
  ['answers at once', '3', 'answer', 'think', completed],
  ['runs the tools it asked for, then answers', '3', 'calls tools answer', 'think act think', completed],
  ['goes on while it has turns', '3', 'calls tools talk tools answer', 'think act think act think', completed],
  ['an answer in the last turn is not capped', '1', 'answer', 'think', completed],
  ['stale outcomes are ignored', '3', 'calls tools ~answer ~empty ~calls ~fails answer', 'think act think', completed],
  ['stale tools are ignored', '3', 'calls tools calls ~tools tools answer', 'think act think act think', completed],
  ['an outcome of another effect is ignored', '3', 'tools calls fails tools answer', 'think act think', completed],
  ['an empty answer fails', '3', 'empty', 'think', noAnswer],
  ['an empty answer fails whatever was said before', '3', 'talk tools empty', 'think act think', noAnswer],
  ['a model that fails fails the agent', '3', 'fails', 'think', failed],
  ['a model that fails after tools fails the agent', '3', 'talk tools fails', 'think act think', failed],
  ['in the last turn the tools do not run: it wraps up', '2', 'calls tools calls', 'think act think wrapUp', null],
  ['what it says in wrapping up is the result', '1', 'calls answer', 'think wrapUp', capped],
  ['a wrap-up that answers with calls still ends capped', '1', 'calls talk', 'think wrapUp', capped],
  ['a wrap-up that fails leaves what was said before', '2', 'talk tools calls fails', 'think act think wrapUp', capped],
  ['an empty wrap-up leaves what was said before', '1', 'talk empty', 'think wrapUp', capped],
  ['with nothing to say at the cap it failed', '1', 'calls empty', 'think wrapUp', mute(1)],
  ['with calls and no word at the cap it failed', '2', 'calls tools calls calls', 'think act think wrapUp', mute(2)],
  ['a wrap-up that fails with nothing said failed capped', '1', 'calls fails', 'think wrapUp', mute(1)],
  ['a stale outcome does not end the wrap-up', '1', 'calls ~answer ~calls ~fails answer', 'think wrapUp', capped],
  ['without wrap-up the capped response ends it', '1!', 'talk', 'think', capped],
  ['without wrap-up words of an earlier turn count', '2!', 'talk tools calls', 'think act think', capped],
  ['without wrap-up and without a word it failed', '2!', 'calls tools calls', 'think act think', mute(2)],
  ['a cancel ends it while it thinks', '3', 'cancel', 'think', cancelled],
  ['a cancel ends it while it acts', '3', 'talk cancel', 'think act', cancelled],
  ['a cancel ends it while it wraps up', '1', 'talk cancel', 'think wrapUp', cancelled],
  ['a deadline ends it while it thinks', '3', 'deadline', 'think', timedOut],
  ['a deadline ends it while it acts', '3', 'talk deadline', 'think act', timedOut],
  ['a deadline ends it while it wraps up', '1', 'talk deadline', 'think wrapUp', timedOut],
  ['the first of cancel and deadline counts', '3', 'cancel deadline', 'think', cancelled],
  ['the first of deadline and cancel counts', '3', 'deadline cancel', 'think', timedOut],
  ['what comes after the end changes nothing', '1', 'answer cancel deadline calls empty', 'think', completed],
]

const inputOf = (turns: string): AgentInput => ({
  agent: 1,
  maxTurns: Number.parseInt(turns, 10),
  wrapUp: !turns.endsWith('!'),
})

for (const [rule, turns, happens, effects, output] of rows) {
  test(rule, () => {
    const done: string[] = []
    const log = (name: string) => () => void done.push(name)
    const machine = agentMachine.provide({ actions: { think: log('think'), act: log('act'), wrapUp: log('wrapUp') } })
    const actor = createActor(machine, { input: inputOf(turns) }).start()
    for (const word of happens.split(' ')) {
      const { step } = actor.getSnapshot().context
      const happening = happenings[word.replace('~', '')]
      assert.ok(happening, word)
      actor.send(happening(word.startsWith('~') ? step - 1 : step))
    }
    assert.is(done.join(' '), effects)
    assert.equal(actor.getSnapshot().output ?? null, output)
  })
}

type State = SnapshotFrom<typeof agentMachine>

/** What may happen now, of the step under way, of the one before and of one that is not due yet. */
const offered = ({ context: { step } }: State): readonly AgentEvent[] =>
  Object.values(happenings).flatMap((happening) => [happening(step), happening(step - 1), happening(step + 1)])

const isStale = ({ context }: State, event: AgentEvent): boolean => 'step' in event && event.step !== context.step

type End = (state: State['context'], spoke: boolean) => AgentOutput | null

const atCap: End = ({ maxTurns }, spoke) => (spoke ? capped : mute(maxTurns))

/** What ends the agent in each phase, beside a cancel and a deadline; `spoke` is whether it has said anything by then. */
const ends: Readonly<Record<string, Readonly<Record<string, End>>>> = {
  thinking: {
    'ANSWERED true': () => completed,
    'ANSWERED false': () => noAnswer,
    MODEL_FAILED: () => failed,
    CALLS: (state, spoke) => (state.turn + 1 === state.maxTurns && !state.wrapUp ? atCap(state, spoke) : null),
  },
  acting: {},
  wrapping_up: { ANSWERED: atCap, CALLS: atCap, MODEL_FAILED: atCap },
}

const endOf = ({ value, context }: State, event: AgentEvent): AgentOutput | null => {
  if (event.type === 'CANCEL') return cancelled
  if (event.type === 'DEADLINE') return timedOut
  const hasText = 'hasText' in event && event.hasText
  const phase = ends[(value as { running: string }).running]
  const end = phase?.[event.type] ?? phase?.[`${event.type} ${hasText}`]
  return end?.(context, context.hasText || hasText) ?? null
}

for (const turns of ['1', '1!', '2', '2!', '4', '4!']) {
  const moves = walk(agentMachine, inputOf(turns), offered)
  const live = moves.filter(({ from }) => from.status === 'active')
  const ended = moves.filter(({ from }) => from.status === 'done')

  test(`cap ${turns}: from every state an end can be reached, and nothing goes wrong on the way`, () => {
    assert.is(live.length + ended.length, moves.length)
    assert.equal(trapped(moves), [])
    const ends = ['completed', 'failed', 'timed_out', 'cancelled', 'turn_capped']
    assert.equal(new Set(ended.map(({ from }) => from.value)), new Set(ends))
  })

  test(`cap ${turns}: every move ends the agent exactly as the rules say`, () => {
    for (const { from, event, to, isStill, name } of live) {
      if (isStale(from, event)) assert.ok(isStill, name)
      else assert.equal(to.output ?? null, endOf(from, event), name)
      assert.ok(to.context.turn <= to.context.maxTurns, name)
    }
  })

  test(`cap ${turns}: an end ignores everything`, () => {
    for (const { isStill, name } of ended) assert.ok(isStill, name)
  })
}

test.run()
