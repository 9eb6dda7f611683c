import { spawnSync } from 'node:child_process'
import { existsSync, statSync } from 'node:fs'
import { fileURLToPath } from 'node:url'

const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url))
const INSTALLED = at('node_modules/.package-lock.json')
const age = (path) => statSync(path).mtimeMs

/** The peers are the benchmark's own dependencies; they are fetched where they are missing or others are asked for. */
export function install(say) {
  if (existsSync(INSTALLED) && age(INSTALLED) >= age(at('package-lock.json'))) return true
  say('installing what only the benchmark needs')
  // One peer says it wants a newer Node; it runs on this one.
  const args = ['ci', '--ignore-scripts', '--no-audit', '--no-fund', '--loglevel=error']
  return spawnSync('npm', args, { cwd: at('.'), stdio: ['ignore', 2, 2] }).status === 0
}
