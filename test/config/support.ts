import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type ConfigReport, checkConfig } from '../../src/config/check.ts'
import type { Config } from '../../src/config/config.ts'
import { loadConfig } from '../../src/config/load.ts'
import type { ConfigOptions } from '../../src/config/source.ts'
import type { Problem } from '../../src/contract/errors.ts'

export const KEY = { OPENAI_API_KEY: 'sk-secret' }

/** Runs with a folder of its own, which is gone afterwards. */
export const inFolder = async <T>(use: (folder: string) => Promise<T>): Promise<T> => {
  const folder = mkdtempSync(join(tmpdir(), 'troupe-config-'))
  try {
    return await use(folder)
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Writes text to `config.yaml` of a folder of its own and hands its path over. */
export const withFile = <T>(text: string | Uint8Array, use: (path: string, folder: string) => Promise<T>): Promise<T> =>
  inFolder((folder) => {
    const path = join(folder, 'config.yaml')
    writeFileSync(path, text)
    return use(path, folder)
  })

/** What a valid YAML text comes to. */
export const load = (text: string, env: ConfigOptions['env'] = KEY): Promise<Config> =>
  withFile(text, async (path) => (await loadConfig({ config: path, env })).config)

/** All that is said of a YAML text or a tree. */
export const check = (config: string | object, env: ConfigOptions['env'] = KEY): Promise<ConfigReport> =>
  typeof config === 'string'
    ? withFile(config, (path) => checkConfig({ config: path, env }))
    : checkConfig({ config, env })

/** `path code` of each problem of a level. */
export const brief = ({ problems }: { readonly problems: readonly Problem[] }, level: Problem['level'] = 'error') =>
  problems.filter((problem) => problem.level === level).map(({ path, code }) => `${path} ${code}`)

/** A tree in which one value stands at a dotted path. */
export const treeOf = (path: string, value: unknown): Record<string, unknown> =>
  path
    .split('.')
    .reverse()
    .reduce<unknown>((below, key) => (key === '0' ? [below] : { [key]: below }), value) as Record<string, unknown>
