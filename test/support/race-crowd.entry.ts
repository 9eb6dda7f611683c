import { type MessagePort, workerData } from 'node:worker_threads'
import type { AgentRef } from '../../src/contract/envelopes.ts'
import { openControl } from '../../src/control/control.ts'
import { createOutbox } from '../../src/worker/outbox.ts'
import { RaceWord, spin } from './race-barrier.ts'
import { endOf, reportOf } from './supervised-run.ts'

interface RaceCrowd {
  readonly slab: SharedArrayBuffer
  readonly race: Int32Array<SharedArrayBuffer>
  readonly port: MessagePort
  readonly refs: readonly AgentRef[]
}

// Ends one agent after the other, for as long as it lives.
const { slab, race, port, refs } = workerData as RaceCrowd
const control = openControl(slab)
const outbox = createOutbox((message) => port.postMessage(message))
for (const [index, ref] of refs.entries()) {
  spin(race, race[RaceWord.spins] ?? 0)
  outbox.end(endOf(ref, reportOf('completed', `agent ${index}`)), () => void control.settle(ref, 'completed'))
  outbox.flush()
  Atomics.add(race, RaceWord.done, 1)
}
