import { openPool, run, toolCall } from './pool-support.ts'

// A host of its own for tests that end it: argv names the heap limit, by which its tool processes are told from others.
const [, , memoryMb, how] = process.argv
const pool = openPool({ memoryMb: Number(memoryMb) })
await run(pool, 'bare')
if (how === 'busy') {
  pool.call(toolCall('loops', { timeoutMs: null }))
  pool.call(toolCall('parent', { timeoutMs: null }))
  await new Promise((resolve) => setTimeout(resolve, 1500))
}
console.log('ready')
