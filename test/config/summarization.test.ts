import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { brief, check } from './support.ts'

const fraction = { type: 'fraction', value: 0.8 }
const messages = { type: 'messages', value: 50 }
const window = { models: [{ name: 'm', model: 'm', api_key: 'k', context_window: 8000 }] }
const noWindow = { models: [...window.models, { name: 'n', model: 'n', api_key: 'k' }] }

type Row = readonly [rule: string, summarization: object, models: object, warnings: readonly string[]]

const rows: readonly Row[] = [
  ['off asks for nothing', { trigger: fraction }, noWindow, []],
  ['on without a trigger never comes', { enabled: true }, window, ['summarization.trigger no_trigger']],
  ['no trigger in a list never comes', { enabled: true, trigger: [] }, window, ['summarization.trigger no_trigger']],
  ['messages need no window', { enabled: true, trigger: messages }, noWindow, []],
  ['a part of the window of every model', { enabled: true, trigger: fraction, keep: fraction }, window, []],
  [
    'a part of a window nobody knows',
    { enabled: true, trigger: fraction },
    noWindow,
    ['summarization.trigger window_unknown'],
  ],
  [
    'one of several triggers',
    { enabled: true, trigger: [messages, fraction] },
    noWindow,
    ['summarization.trigger.1 window_unknown'],
  ],
  [
    'what is kept',
    { enabled: true, trigger: messages, keep: fraction },
    noWindow,
    ['summarization.keep window_unknown'],
  ],
]

for (const [rule, summarization, models, warnings] of rows) {
  test(rule, async () => {
    const report = await check({ ...models, summarization })
    assert.ok(report.ok)
    assert.equal(brief(report, 'warning'), warnings)
  })
}

test.run()
