import { rmSync, writeFileSync } from 'node:fs'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { loadConfig } from '../../src/config/load.ts'
import { toRuntimeSettings } from '../../src/config/settings.ts'
import { buildSettings, type Ground } from '../../src/runtime/build-settings.ts'
import { createLiveSettings, type LiveSettings } from '../../src/runtime/live-settings.ts'
import { KEY, withFile } from '../config/support.ts'

/** The clock of the file system has moved on: nothing is young. */
const time = { now: () => Date.now() + 60_000, wait: async () => {} }

interface Scene {
  readonly live: LiveSettings
  readonly path: string
  /** Levels and messages of the log. */
  readonly said: string[]
  /** Revisions that were let go, in order. */
  readonly forgotten: number[]
  /** Config modules that were read. */
  readonly loads: { count: number; until: Promise<void> }
  readonly env: Record<string, string>
}

const scene = (text: string, play: (scene: Scene) => Promise<void>) => () =>
  withFile(text, async (path, home) => {
    const said: string[] = []
    const forgotten: number[] = []
    const loads = { count: 0, until: Promise.resolve() }
    const env: Record<string, string> = { ...KEY }
    const loaded = await loadConfig({ config: path, env })
    const ground: Ground = {
      env,
      hostTools: [],
      log: (level, message, fields) => void said.push(`${level}: ${String(fields?.['path'] ?? '')} ${message}`),
      home,
      sizes: toRuntimeSettings(loaded.config),
      extraMounts: [],
      tools: {
        async load() {
          loads.count++
          await loads.until
          return { specs: [], problems: [] }
        },
      },
      aliases: { of: async () => [], close: () => {} },
      mark: 'mark',
    }
    const { settings } = await buildSettings(loaded, 1, ground)
    if (!settings) throw new Error('the first config is wrong')
    const since = Date.now() + 60_000
    const onForgotten = (revision: number): void => void forgotten.push(revision)
    const live = createLiveSettings({ loaded, settings, ground, since, time, onForgotten })
    loads.count = 0
    await play({ live, path, said, forgotten, loads, env })
  })

const turns = (live: LiveSettings): number => live.current().config.lead.max_turns
const lead = (max: number): string => `lead: {max_turns: ${max}}`

test(
  'a file that stays as it is is read once',
  scene(lead(1), async ({ live, loads }) => {
    await live.refresh()
    assert.equal([live.isStale(), loads.count, live.take().notices], [false, 0, []])
  }),
)

test(
  'an edit takes effect once, for all that wait for it',
  scene(lead(1), async ({ live, path, loads, said }) => {
    writeFileSync(path, lead(2))
    assert.ok(live.isStale())
    await Promise.all([live.refresh(), live.refresh(), live.refresh()])
    assert.equal([turns(live), live.isStale(), loads.count], [2, false, 1])
    assert.equal(said, ['info:  The config was edited, which takes effect for the runs that start now'])
  }),
)

test(
  'what changes nothing makes no revision',
  scene(lead(1), async ({ live, path, said }) => {
    writeFileSync(path, `# the same\n${lead(1)}\n`)
    await live.refresh()
    assert.equal([live.current().thread.revision, said], [1, []])
  }),
)

test(
  'an edit during the reading of another is read too',
  scene(lead(1), async ({ live, path, loads }) => {
    let go = (): void => {}
    loads.until = new Promise((resolve) => {
      go = resolve
    })
    writeFileSync(path, lead(2))
    const refreshed = live.refresh()
    while (loads.count === 0) await new Promise((resolve) => setImmediate(resolve))
    writeFileSync(path, lead(3))
    go()
    await refreshed
    assert.is(turns(live), 3)
    assert.is(live.current().thread.revision, 2)
  }),
)

test(
  'variables are looked up again',
  scene('models: [{name: m, model: m, api_key: $OPENAI_API_KEY}]', async ({ live, path, env }) => {
    env['OPENAI_API_KEY'] = 'sk-new'
    await live.refresh()
    assert.is(live.current().thread.models[0]?.apiKey, KEY.OPENAI_API_KEY)
    writeFileSync(path, 'models: [{name: m, model: m, api_key: $OPENAI_API_KEY}] # read again')
    await live.refresh()
    assert.is(live.current().thread.models[0]?.apiKey, 'sk-new')
  }),
)

const broken: readonly (readonly [string, (path: string) => void, string])[] = [
  [
    'is wrong',
    (path) => writeFileSync(path, 'lead: {max_turnz: 2}'),
    'lead.max_turnz: is not a known key (did you mean "max_turns"?)',
  ],
  ['is no YAML', (path) => writeFileSync(path, 'lead: ['), 'line 1, column 8'],
  ['is gone', (path) => rmSync(path, { force: true }), 'there is no file'],
]

for (const [name, edit, why] of broken) {
  test(
    `a file that ${name} keeps the last good settings, and says so`,
    scene(lead(1), async ({ live, path, said }) => {
      for (let run = 0; run < 2; run++) {
        edit(path)
        await live.refresh()
        const { notices, settings } = live.take()
        assert.is(settings.config.lead.max_turns, 1)
        assert.is(notices.length, 1)
        assert.match(
          notices[0] ?? '',
          `The config was edited and cannot be used, so the last good one stays in force (${path}): ${why}`,
        )
      }
      assert.equal(said, ['error:  The config was edited and cannot be used, so the last good one stays in force'])
      writeFileSync(path, lead(3))
      await live.refresh()
      assert.equal([turns(live), live.take().notices], [3, []])
    }),
  )
}

test(
  'an edit that is taken back is in order again',
  scene(lead(1), async ({ live, path, said }) => {
    writeFileSync(path, 'lead: 5')
    await live.refresh()
    writeFileSync(path, lead(1))
    await live.refresh()
    assert.equal([live.take().notices, live.current().thread.revision], [[], 1])
    assert.is(said.at(-1), 'info:  The config can be used again')
  }),
)

test(
  'a run is told of three problems, and how many more there are',
  scene(lead(1), async ({ live, path }) => {
    writeFileSync(path, '{a: 1, b: 2, c: 3, d: 4, e: 5}')
    await live.refresh()
    assert.match(live.take().notices[0] ?? '', /: a: .*; b: .*; c: is not a known key \(and 2 more\)$/)
  }),
)

test(
  'what needs a restart is said once to a run, and in the log',
  scene('runtime: {threads: 1}', async ({ live, path, said }) => {
    writeFileSync(path, 'runtime: {threads: 2, grace_ms: 5}\nmodels: [{name: m, model: m, api_key: $OTHER_KEY}]')
    await live.refresh()
    assert.equal(
      live.take().notices,
      [
        'runtime.threads takes effect after a restart',
        'runtime.grace_ms takes effect after a restart',
        'models.0.api_key is hidden from tools after a restart: OTHER_KEY',
      ].map((what) => `The config ${path} was edited: ${what}`),
    )
    assert.equal(live.take().notices, [])
    assert.equal(
      said.filter((line) => line.startsWith('warn')),
      [
        'warn: runtime.threads takes effect after a restart',
        'warn: runtime.grace_ms takes effect after a restart',
        'warn: models.0.api_key is hidden from tools after a restart: OTHER_KEY',
      ],
    )
  }),
)

test(
  'whoever waits while it closes goes on with what is in force',
  scene(lead(1), async ({ live, path, loads, said }) => {
    let go = (): void => {}
    loads.until = new Promise((resolve) => {
      go = resolve
    })
    writeFileSync(path, 'lead: 5')
    const refreshed = live.refresh()
    live.close()
    await refreshed
    go()
    writeFileSync(path, lead(2))
    await live.refresh()
    await new Promise((resolve) => setTimeout(resolve, 50))
    assert.equal([turns(live), said], [1, []])
  }),
)

test(
  'a revision is forgotten when the last run that holds to it is over, and not while it is in force',
  scene(lead(1), async ({ live, path, forgotten }) => {
    const [one, two] = [live.take().settings, live.take().settings]
    writeFileSync(path, lead(2))
    await live.refresh()
    const three = live.take().settings
    live.release(one)
    live.release(three)
    assert.equal(forgotten, [])
    live.release(two)
    assert.equal(forgotten, [1])
    writeFileSync(path, lead(3))
    await live.refresh()
    assert.equal(forgotten, [1, 2])
  }),
)

test(
  'of a thousand edits nothing is left but the last',
  scene(lead(1), async ({ live, path, forgotten }) => {
    for (let edit = 2; edit <= 1001; edit++) {
      const { settings } = live.take()
      writeFileSync(path, lead(edit))
      await live.refresh()
      live.release(settings)
    }
    assert.is(live.current().thread.revision, 1001)
    assert.equal(
      forgotten,
      Array.from({ length: 1000 }, (_, index) => index + 1),
    )
  }),
)

test('a config that is no file is never read again', async () => {
  const loaded = await loadConfig({ config: { lead: { max_turns: 1 } }, env: KEY })
  const settings = {} as ReturnType<LiveSettings['current']>
  const live = createLiveSettings({ loaded, settings, ground: {} as Ground, since: 0, onForgotten: () => {} })
  await live.refresh()
  assert.equal([live.isStale(), live.take()], [false, { settings, notices: [] }])
})

test.run()
