import type { ModelFailure, ModelSink } from './port.ts'

/** Fails a call that cannot even begin: in a later tick, since the sink hears nothing before the caller holds the abort. */
export const refuse = (failure: ModelFailure, sink: ModelSink): (() => void) => {
  let open = true
  process.nextTick(() => {
    if (open) sink.failed(failure)
  })
  return () => {
    open = false
  }
}
