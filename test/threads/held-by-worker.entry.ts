import { parentPort, workerData } from 'node:worker_threads'
import { logsIn } from '../support/thread-log.ts'

// A runtime on a thread that is not the process's first: it has a conversation until the thread is ended.
const opened = await logsIn(workerData).open('worker')
opened?.conversation.add('{"message":{"role":"user","content":"from the worker"}}')
setInterval(() => {}, 1000)
parentPort?.postMessage(opened !== null)
