// The far side of each round trip: a task of Piscina's, or a port and a word of shared memory that it answers on.
import { parentPort, workerData } from 'node:worker_threads'

/** Piscina’s task. */
export const echo = (value) => value

if (workerData?.port) {
  const { port, words } = workerData
  port.on('message', (message) => port.postMessage(Array.isArray(message) ? message.length : message))
  const [ASKED, ANSWERED] = [0, 1]
  const answer = async () => {
    for (let seen = 0; ; seen++) {
      const { async, value } = Atomics.waitAsync(words, ASKED, seen)
      if (async) await value
      Atomics.add(words, ANSWERED, 1)
      Atomics.notify(words, ANSWERED)
    }
  }
  void answer()
  parentPort.postMessage('ready')
}
