import type { AgentRef } from '../../src/contract/envelopes.ts'
import type { TerminalStatus } from '../../src/contract/status.ts'
import { allocateControl } from '../../src/control/control.ts'
import { layoutOf, SlotWord, tagged } from '../../src/control/layout.ts'

/** A way to break the protocol, which the walk must notice. */
export type Fault =
  /** The agent stores its end instead of swapping it in. */
  | 'plain store'
  /** The host does. */
  | 'plain store on the host'
  /** A host that lost does not look for the winner's report. */
  | 'no drain'
  | 'swap before post'
  /** The host forgets the generation when it takes the slot back. */
  | 'release without generation'
  /** The host takes the slot back while the agent still works. */
  | 'release before let go'

export interface Bounds {
  /** Agents that have the slot, one after the other. */
  readonly lives: number
  /** Times that the thread dies. */
  readonly deaths: number
}

type Author = 'agent' | 'host' | 'nobody'

/** One agent, from occupying the slot to its last step on the thread. */
interface Life {
  readonly generation: number
  at: 'working' | 'ending' | 'over'
  counted: boolean
  /** Who won its terminal swap, in the order of winning. One is right. */
  readonly won: Author[]
  /** Whose word its reported ends were. One is right, and the winner's. */
  readonly ended: Author[]
}

interface State {
  words: readonly number[]
  readonly lives: Life[]
  /** Reports on their way to the host, by the life that posted them. */
  readonly port: number[]
  /** Which life has the slot as the host sees it, and whether the thread may still touch it. */
  slot: { readonly life: number; held: boolean } | null
  thread: 'alive' | 'dead'
  deaths: number
}

type Step = readonly [name: string, run: (state: State) => void]

// The swaps are the real ones: every step restores the words it starts from.
const control = allocateControl(1, 1)
const words = new Int32Array(control.slab)
const status = layoutOf(words).slot(0, SlotWord.status)
const COMPLETED = 2

const lifeAt = ({ lives }: State, index: number): Life => {
  const life = lives[index]
  if (!life) throw new Error(`no life ${index}`)
  return life
}
const refOf = ({ generation }: Life): AgentRef => ({ slot: 0, generation })

/** The steps of agent and host; where they differ from the runtime's, it is the fault. */
const stepsOf = (fault: Fault | null, bounds: Bounds) => {
  const swap = (life: Life, end: TerminalStatus, author: Author): boolean => {
    const isPlain = fault === (author === 'agent' ? 'plain store' : 'plain store on the host')
    if (isPlain) words[status] = tagged(life.generation, COMPLETED)
    const won = isPlain || control.settle(refOf(life), end)
    if (won) life.won.push(author)
    return won
  }

  const free = (state: State): void => {
    const { slot } = state
    if (!slot || lifeAt(state, slot.life).ended.length === 0) return
    if (slot.held && fault !== 'release before let go') return
    if (fault === 'release without generation') words[status] = 0
    else control.release(refOf(lifeAt(state, slot.life)))
    state.slot = null
  }

  const letGo = (state: State): void => {
    if (state.slot) state.slot.held = false
    free(state)
  }

  /** The agent's report reaches the host, which swaps on the agent's behalf in case it has not yet. */
  const receive = (state: State): void => {
    const sender = state.port.shift()
    const { slot } = state
    if (sender === undefined || !slot) return
    const life = lifeAt(state, slot.life)
    if (life.generation !== lifeAt(state, sender).generation) return
    if (life.ended.length === 0) {
      swap(life, 'completed', 'agent')
      life.ended.push(sender === slot.life ? 'agent' : 'nobody')
    }
    letGo(state)
  }

  const drain = (state: State): void => {
    while (state.port.length > 0) receive(state)
  }

  /** A writer of the host's: whoever loses finds the winner's report in the port. */
  const settle = (state: State, end: TerminalStatus): void => {
    if (!state.slot) return
    const life = lifeAt(state, state.slot.life)
    if (life.ended.length > 0) return
    if (swap(life, end, 'host')) life.ended.push('host')
    else if (fault !== 'no drain') drain(state)
    if (life.ended.length === 0) life.ended.push('nobody')
    free(state)
  }

  const agentSteps = (life: Life, index: number): readonly Step[] => {
    const at = (state: State): Life => lifeAt(state, index)
    const post = (state: State): void => void state.port.push(index)
    const finish = (state: State): void => void swap(at(state), 'completed', 'agent')
    const [first, last] = fault === 'swap before post' ? [finish, post] : [post, finish]
    const step = (next: Life['at'], run: (state: State) => void): Step => [
      `agent ${index} ${next}`,
      (state) => {
        at(state).at = next
        run(state)
      },
    ]
    const count: Step = [
      `agent ${index} counts`,
      (state) => {
        at(state).counted = true
        control.count(refOf(life), { turns: index + 1, inputTokens: 1, outputTokens: 1 })
      },
    ]
    if (life.at === 'working') return [...(life.counted ? [] : [count]), step('ending', first)]
    return life.at === 'ending' ? [step('over', last)] : []
  }

  const occupy = (state: State): void => {
    const { generation } = control.occupy(0)
    const at = state.thread === 'alive' ? 'working' : 'over'
    state.slot = { life: state.lives.push({ generation, at, counted: false, won: [], ended: [] }) - 1, held: true }
  }

  const die = (state: State): void => {
    state.thread = 'dead'
    state.deaths++
    for (const life of state.lives) life.at = 'over'
  }

  /** The host learns of the death. What the thread had posted has arrived by then. */
  const exit = (state: State): void => {
    drain(state)
    settle(state, 'failed')
    letGo(state)
    state.thread = 'alive'
  }

  return (state: State): readonly Step[] => {
    const isLive = state.slot !== null && lifeAt(state, state.slot.life).ended.length === 0
    const steps: [boolean, Step][] = [
      [state.port.length > 0, ['host receives', receive]],
      [isLive, ['host: deadline', (next) => settle(next, 'timed_out')]],
      [isLive, ['host: cancel', (next) => settle(next, 'cancelled')]],
      [state.thread === 'alive' && state.deaths < bounds.deaths, ['thread dies', die]],
      [state.thread === 'dead', ['host: thread gone', exit]],
      [!state.slot && state.lives.length < bounds.lives, ['host occupies', occupy]],
    ]
    return [...state.lives.flatMap(agentSteps), ...steps.filter(([can]) => can).map(([, step]) => step)]
  }
}

/** What is wrong after a step, or `null`. */
const wrongAfter = (name: string, before: State, after: State): string | null => {
  const actor = /^agent (\d+)/.exec(name)?.[1]
  const isStranger = actor !== undefined && Number(actor) !== before.slot?.life
  if (isStranger && after.words.join() !== before.words.join()) return `agent ${actor} wrote into a slot it has not`
  for (const [index, { won, ended }] of after.lives.entries()) {
    if (won.length > 1) return `agent ${index} was settled by ${won.join(' and ')}`
    if (ended.length > 1) return `agent ${index} ended ${ended.length} times`
    if (ended.length === 1 && ended[0] !== won[0]) return `agent ${index}: ${won[0]} won, the end is of ${ended[0]}`
  }
  return null
}

const wrongAtEnd = ({ lives, slot }: State): string | null => {
  const open = lives.findIndex(({ ended }) => ended.length === 0)
  if (open >= 0) return `agent ${open} never ended`
  return slot ? 'the slot was never given back' : null
}

export interface Walked {
  readonly states: number
  /** Every way in which it went wrong, with the first path that led there. */
  readonly violations: ReadonlyMap<string, readonly string[]>
}

/** Takes every interleaving of the steps there is. */
export const walkProtocol = (bounds: Bounds, fault: Fault | null = null): Walked => {
  const steps = stepsOf(fault, bounds)
  const seen = new Set<string>()
  const violations = new Map<string, readonly string[]>()
  const note = (wrong: string | null, path: readonly string[]): boolean => {
    if (wrong !== null && !violations.has(wrong)) violations.set(wrong, path)
    return wrong !== null
  }

  const visit = (state: State, path: readonly string[]): void => {
    const key = JSON.stringify(state)
    if (seen.has(key)) return
    seen.add(key)
    const possible = steps(state)
    if (possible.length === 0) note(wrongAtEnd(state), path)
    for (const [name, run] of possible) {
      const next = structuredClone(state)
      words.set(state.words)
      run(next)
      next.words = [...words]
      const longer = [...path, name]
      if (!note(wrongAfter(name, state, next), longer)) visit(next, longer)
    }
  }

  const empty = [...new Int32Array(allocateControl(1, 1).slab)]
  visit({ words: empty, lives: [], port: [], slot: null, thread: 'alive', deaths: 0 }, [])
  return { states: seen.size, violations }
}
