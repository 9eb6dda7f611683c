import type { AnyMachineSnapshot, AnyStateMachine, EventFromLogic, InputFrom, SnapshotFrom } from 'xstate'
import { getAdjacencyMap } from 'xstate/graph'

/** One transition of a machine, whether it changed anything or not. */
export interface Move<Machine extends AnyStateMachine> {
  readonly from: SnapshotFrom<Machine>
  readonly event: EventFromLogic<Machine>
  readonly to: SnapshotFrom<Machine>
  readonly isStill: boolean
  /** For a failed assertion: the state and the event. */
  readonly name: string
}

const keyOf = ({ status, value, context, output }: AnyMachineSnapshot): string =>
  JSON.stringify([status, value, context, output])

/** Every move there is: every event from every state that can be reached, final ones too. */
export const walk = <Machine extends AnyStateMachine>(
  machine: Machine,
  input: InputFrom<Machine>,
  events: (state: SnapshotFrom<Machine>) => readonly EventFromLogic<Machine>[],
): readonly Move<Machine>[] => {
  const map = getAdjacencyMap(machine, { input, events, serializeState: keyOf, limit: 100_000 } as never)
  return Object.values(map as Record<string, Visit<Machine>>).flatMap(({ state: from, transitions }) =>
    Object.values(transitions).map(({ event, state: to }) => ({
      from,
      event,
      to,
      isStill: keyOf(from) === keyOf(to),
      name: `${keyOf(from)} + ${JSON.stringify(event)}`,
    })),
  )
}

interface Visit<Machine extends AnyStateMachine> {
  readonly state: SnapshotFrom<Machine>
  readonly transitions: Record<
    string,
    { readonly event: EventFromLogic<Machine>; readonly state: SnapshotFrom<Machine> }
  >
}

/** The states from which no sequence of events leads to an end. */
export const trapped = <Machine extends AnyStateMachine>(moves: readonly Move<Machine>[]): readonly string[] => {
  const isDone = ({ from }: Move<Machine>): boolean => (from as AnyMachineSnapshot).status === 'done'
  const ending = new Set(moves.filter(isDone).map(({ from }) => keyOf(from)))
  for (let before = -1; before < ending.size; ) {
    before = ending.size
    for (const { from, to } of moves) if (ending.has(keyOf(to))) ending.add(keyOf(from))
  }
  return [...new Set(moves.map(({ from }) => keyOf(from)))].filter((key) => !ending.has(key))
}
