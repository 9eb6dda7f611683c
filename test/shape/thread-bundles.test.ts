import { readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { built, contentsOf } from '../support/built.ts'

const HOST_ONLY = /^src\/(config|catalog|skills|memory|runtime|cli|http|acp|testing|demo)\//
const HOST_PACKAGES = /node_modules\/(zod|yaml|piscina|import-meta-resolve|@langchain)\//

const bundles = [
  { name: 'worker', file: 'worker.js', other: /^src\/(tool-process|services)\//, bytes: 264_000, packages: [] },
  {
    name: 'toolProcess',
    file: 'tool-process.js',
    other: /^src\/(worker|services|models)\//,
    bytes: 54_000,
    packages: ['@langchain/core'],
  },
] as const

for (const { name, file, other, bytes, packages } of bundles) {
  test(`${file} holds no host module and nothing of another thread`, () => {
    const strays = contentsOf(name).inputs.filter((path) =>
      [HOST_ONLY, HOST_PACKAGES, other].some((kind) => kind.test(path)),
    )
    assert.equal(strays, [])
  })

  test(`${file} imports nothing but Node and ${packages.join() || 'no package'}`, () => {
    const isKnown = (path: string) => isBuiltin(path) || packages.some((known) => `${path}/`.startsWith(`${known}/`))
    assert.equal(
      contentsOf(name).externals.filter((path) => !isKnown(path)),
      [],
    )
  })

  test(`${file} stays below ${bytes} bytes`, () => {
    const size = readFileSync(built(file)).byteLength
    assert.ok(size < bytes, `it has ${size}`)
  })
}

test.run()
