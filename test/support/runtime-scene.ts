import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Runtime, RuntimeOptions } from '../../src/contract/api.ts'
import { createRuntime } from '../../src/index.ts'
import type { ScriptedModel } from '../../src/testing/scripted-model.ts'
import { startScriptedModel } from '../../src/testing/scripted-model.ts'
import { cast, type Part } from './runtime-script.ts'

export const wait = (ms: number): Promise<void> => new Promise((resolve) => setTimeout(resolve, ms))

/** The deadline of a test, or of a part of it. */
export const within = async <T>(ms: number, what: string, work: Promise<T>): Promise<T> => {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`not within ${ms} ms: ${what}`)), ms)
  })
  try {
    return await Promise.race([work, late])
  } finally {
    clearTimeout(timer)
  }
}

export const until = async (ms: number, what: string, holds: () => boolean): Promise<void> => {
  for (const end = performance.now() + ms; !holds(); await wait(10)) {
    if (performance.now() > end) throw new Error(`not within ${ms} ms: ${what}`)
  }
}

export interface Scene {
  readonly runtime: Runtime
  readonly model: ScriptedModel
  /** Root of what the runtime writes; a test may keep its own files there too. */
  readonly home: string
}

export interface SceneOptions extends Omit<RuntimeOptions, 'config' | 'home'> {
  /** Who answers, by the first word of the prompt. */
  readonly parts: Readonly<Record<string, Part>>
  /** Over the config of one model, `main`. */
  readonly config?: object
  /** Milliseconds the test may take once the runtime stands. */
  readonly ms?: number
}

/** A model as the config names it, behind the scripted server. */
export const modelAt = (url: string, name = 'main') => ({ name, model: `${name}-model`, base_url: url, api_key: null })

export const openScene = async ({ parts, config = {}, ms: _, ...options }: SceneOptions): Promise<Scene> => {
  const home = mkdtempSync(join(tmpdir(), 'troupe-'))
  const model = await startScriptedModel({ reply: cast(parts) })
  const models = [modelAt(model.url), modelAt(model.url, 'second')]
  const runtime = await createRuntime({ config: { models, ...config }, home, ...options })
  return { runtime, model, home }
}

export const closeScene = async ({ runtime, model, home }: Scene): Promise<void> => {
  try {
    await within(15_000, 'close', runtime.close())
  } finally {
    await model.close()
    rmSync(home, { recursive: true, force: true })
  }
}

/** A test with a runtime and a scripted model of its own, both closed whatever happens. */
export const scene = (options: SceneOptions, play: (scene: Scene) => Promise<void>) => async (): Promise<void> => {
  const open = await openScene(options)
  try {
    await within(options.ms ?? 20_000, 'the test', play(open))
  } finally {
    await closeScene(open)
  }
}

/** A tool of test/threads/fixtures/tools.mjs as an entry of the config. */
export const fixtureTool = (name: string, placement: 'worker' | 'isolated' = 'worker', rest: object = {}) => ({
  name,
  use: `./test/threads/fixtures/tools.mjs#${name}`,
  placement,
  ...rest,
})
