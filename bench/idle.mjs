// The control: a process that does nothing but watch its own event loop while a contestant works.
import { serveHealth } from './lib/health.mjs'
import { serve } from './lib/ipc.mjs'
import { watchLoop } from './lib/stall.mjs'

let loop
serve({
  health: async () => (await serveHealth()).url,
  async start() {
    loop = await watchLoop()
  },
  stop: () => loop.stop(),
})
