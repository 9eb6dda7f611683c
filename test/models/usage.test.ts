import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { readUsage } from '../../src/models/usage.ts'

const rows: readonly (readonly [string, unknown, readonly [number, number, number] | null])[] = [
  ['plain', { prompt_tokens: 100, completion_tokens: 10, total_tokens: 110 }, [100, 10, 110]],
  [
    'cached tokens inside the input',
    { prompt_tokens: 1000, completion_tokens: 50, total_tokens: 1050, prompt_tokens_details: { cached_tokens: 900 } },
    [1000, 50, 1050],
  ],
  [
    'cache hits and misses',
    { prompt_tokens: 1000, completion_tokens: 50, total_tokens: 1050, prompt_cache_hit_tokens: 900 },
    [1000, 50, 1050],
  ],
  [
    'cached tokens beside the input',
    { input_tokens: 100, output_tokens: 50, cache_read_input_tokens: 900, cache_creation_input_tokens: 0 },
    [1000, 50, 1050],
  ],
  ['no total', { prompt_tokens: 7, completion_tokens: 3 }, [7, 3, 10]],
  ['input alone', { prompt_tokens: 7 }, [7, 0, 7]],
  ['counts that are none', { prompt_tokens: '7', completion_tokens: Number.NaN, total_tokens: -1 }, null],
  ['zeros', { prompt_tokens: 0, completion_tokens: 0, total_tokens: 0 }, null],
  ['empty', {}, null],
  ['null', null, null],
  ['a list', [1], null],
  ['true', true, null],
]

for (const [name, sent, counted] of rows)
  test(name, () => {
    const usage = readUsage(sent)
    assert.equal(usage && [usage.input_tokens, usage.output_tokens, usage.total_tokens], counted)
  })

test.run()
