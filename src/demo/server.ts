import { serveDemo } from './serve.ts'

// The process of the demo's model. `troupe demo` starts it, and it ends with whoever started it.
process.on('disconnect', () => process.exit())
// Ctrl-C reaches all processes of a terminal; this one must go on until the run has settled.
process.on('SIGINT', () => {})

const { url } = await serveDemo()
if (process.send) process.send({ url })
else {
  process.stderr.write('This is the model of `troupe demo`, which starts it.\n')
  process.exit(2)
}
