// The control: a process that does nothing but watch its own event loop while a contestant works.
import { serve } from './lib/ipc.mjs'
import { watchLoop } from './lib/stall.mjs'

let loop
serve({
  async start() {
    loop = await watchLoop()
  },
  stop: () => loop.stop(),
})
