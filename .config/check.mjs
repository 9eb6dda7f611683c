// Runs every `check:*` script of package.json, and says of all what they found.
import { exec } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { root } from './bundles.mjs'

const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
const queue = Object.entries(scripts).filter(([name]) => name.startsWith('check:'))
const PATH = `${join(root, 'node_modules/.bin')}${delimiter}${process.env.PATH}`

const run = ([name, command]) =>
  new Promise((resolve) => {
    exec(command, { cwd: root, env: { ...process.env, PATH }, maxBuffer: 2 ** 26 }, (error, stdout, stderr) => {
      console.log(error === null ? `ok    ${name}` : `${stdout}${stderr}\nFAIL  ${name}`)
      if (error !== null) process.exitCode = 1
      resolve()
    })
  })

const worker = async () => {
  for (let next = queue.shift(); next !== undefined; next = queue.shift()) await run(next)
}
await Promise.all([worker(), worker()])
