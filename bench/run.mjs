// npm run bench: see `npm run bench -- --help`
import { install } from './lib/install.mjs'

const say = (text) => process.stderr.write(`${text}\n`)

if (!install(say)) {
  say('npm ci failed in bench/: see above')
  process.exit(1)
}
// What follows is imported late, because it needs what was just installed.
const { main } = await import('./lib/main.mjs')
process.exitCode = await main(process.argv.slice(2), say)
