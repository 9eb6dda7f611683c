import type { CooldownVerbs } from '../control/cooldown.ts'
import { createChatCompletions } from './chat-completions.ts'
import { systemClock } from './clock.ts'
import type { CallModel } from './port.ts'
import { createResilient } from './resilient.ts'

/** The models of one thread, whichever client speaks to each. */
export const createModels = (cooldown: CooldownVerbs): CallModel => {
  const { stream } = createChatCompletions()
  return createResilient({ stream, cooldown, clock: systemClock, random: Math.random })
}
