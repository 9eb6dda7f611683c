import { execFileSync } from 'node:child_process'
import { test } from 'uvu'
import * as assert from 'uvu/assert'

test('the published package holds dist/ and what describes it', () => {
  const args = ['pack', '--dry-run', '--json', '--ignore-scripts']
  const [packed] = JSON.parse(execFileSync('npm', args, { encoding: 'utf8' })) as [{ files: { path: string }[] }]
  const paths = packed.files.map(({ path }) => path)
  const beside = ['LICENSE', 'README.md', 'config.example.yaml', 'package.json']
  assert.equal(
    paths.filter((path) => !path.startsWith('dist/')),
    beside,
  )
  assert.ok(paths.includes('dist/THIRD-PARTY.txt'))
})

test.run()
