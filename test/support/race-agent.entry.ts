import type { MessagePort } from 'node:worker_threads'
import { workerData } from 'node:worker_threads'
import { openControl } from '../../src/control/control.ts'
import { layoutOf, SlotWord, tagged } from '../../src/control/layout.ts'
import { createOutbox } from '../../src/worker/outbox.ts'
import { meet, RaceWord, spin } from './race-barrier.ts'
import { endOf, reportOf } from './supervised-run.ts'

interface RaceAgent {
  readonly slab: SharedArrayBuffer
  readonly race: Int32Array<SharedArrayBuffer>
  readonly port: MessagePort
}

const { slab, race, port } = workerData as RaceAgent
const control = openControl(slab)
const words = new Int32Array(slab)
const outbox = createOutbox((message) => port.postMessage(message))

/** What a slab without a swap would do: store the end over whatever is there. */
const store = (slot: number, generation: number): boolean => {
  Atomics.store(words, layoutOf(words).slot(slot, SlotWord.status), tagged(generation, 2))
  return true
}

for (let round = 1; ; round++) {
  meet(race, RaceWord.round, round)
  const ref = { slot: race[RaceWord.slot] ?? 0, generation: race[RaceWord.generation] ?? 0 }
  const settle = race[RaceWord.plain] ? () => store(ref.slot, ref.generation) : () => control.settle(ref, 'completed')
  let won = false
  outbox.end(endOf(ref, reportOf('completed', `of ${ref.slot} ${ref.generation}`)), () => {
    won = settle()
  })
  Atomics.store(race, RaceWord.ready, round)
  meet(race, RaceWord.go, round)
  spin(race, race[RaceWord.spins] ?? 0)
  outbox.flush()
  Atomics.store(race, RaceWord.won, Number(won))
  Atomics.store(race, RaceWord.done, round)
  Atomics.notify(race, RaceWord.done)
}
