import { readFileSync } from 'node:fs'
import { cpus, loadavg, release, totalmem, type } from 'node:os'

const read = (path) => JSON.parse(readFileSync(new URL(path, import.meta.url), 'utf8'))

/** Drawing and arithmetic of the benchmark itself, which no figure depends on. */
const OWN = ['@observablehq/plot', 'leven', 'linkedom', 'tinybench']

function packages() {
  const { dependencies } = read('../package.json')
  const installed = Object.keys(dependencies)
    .filter((name) => !OWN.includes(name))
    .map((name) => `${name} ${read(`../node_modules/${name}/package.json`).version}`)
  return [`troupe ${read('../../package.json').version}`, ...installed]
}

export const load = () =>
  loadavg()
    .map((n) => n.toFixed(2))
    .join(' ')

/** What a figure means nothing without. */
export const machine = () => ({
  cpu: `${cpus().length} × ${cpus()[0]?.model.trim()}`,
  memory: `${Math.round(totalmem() / 2 ** 30)} GiB`,
  system: `${type()} ${release()}`,
  node: process.version,
  packages: packages().join(', '),
})
