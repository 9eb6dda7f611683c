import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { retryAfterMs } from '../../src/models/retry-after.ts'

const NOW = Date.parse('Wed, 21 Oct 2026 07:28:00 GMT')

const rows: readonly (readonly [Readonly<Record<string, string>>, number | null])[] = [
  [{}, null],
  [{ 'retry-after': '2' }, 2000],
  [{ 'retry-after': ' 1.5 ' }, 1500],
  [{ 'retry-after': '0' }, null],
  [{ 'retry-after': '-5' }, null],
  [{ 'retry-after': 'soon' }, null],
  [{ 'retry-after': '' }, null],
  [{ 'retry-after': 'Infinity' }, null],
  [{ 'retry-after': '86400' }, 86_400_000],
  [{ 'retry-after': 'Wed, 21 Oct 2026 07:28:03 GMT' }, 3000],
  [{ 'retry-after': 'Wed, 21 Oct 2020 07:28:00 GMT' }, null],
  [{ 'retry-after-ms': '700' }, 700],
  [{ 'retry-after-ms': '700', 'retry-after': '5' }, 700],
  [{ 'retry-after-ms': 'x', 'retry-after': '5' }, 5000],
]

for (const [headers, ms] of rows)
  test(JSON.stringify(headers), () =>
    assert.is(
      retryAfterMs((name) => headers[name], NOW),
      ms,
    ),
  )

test.run()
