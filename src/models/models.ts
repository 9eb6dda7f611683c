import type { CooldownVerbs } from '../control/cooldown.ts'
import { createChatCompletions } from './chat-completions.ts'
import { systemClock } from './clock.ts'
import type { CallModel, StreamModel } from './port.ts'
import { createResilient } from './resilient.ts'

/** The models of one thread, whichever client speaks to each. */
export const createModels = (cooldown: CooldownVerbs): CallModel => {
  const own = createChatCompletions().stream
  const stream: StreamModel = (request, sink) => (request.model.use === null ? own : langChain)(request, sink)
  return createResilient({ stream, cooldown, clock: systemClock, random: Math.random })
}

/** The adapter is loaded with the first call that needs it: most configs name no LangChain model. */
const langChain: StreamModel = (request, sink) => {
  let open = true
  let stop = (): void => {}
  void import('./langchain/client.ts').then(({ createLangChain }) => {
    if (open) stop = createLangChain(systemClock)(request, sink)
  })
  return () => {
    open = false
    stop()
  }
}
