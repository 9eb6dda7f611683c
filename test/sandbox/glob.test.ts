import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { compileGlob } from '../../src/sandbox/glob.ts'

const vectors: readonly [pattern: string, yes: readonly string[], no: readonly string[]][] = [
  ['*.ts', ['a.ts', '.ts', '🦌.ts'], ['src/a.ts', 'a.tsx', 'a_ts']],
  ['**/*.ts', ['a.ts', 'src/a.ts', 'src/b/c/a.ts'], ['a.tsx', 'a.ts/b']],
  ['src/**/*.ts', ['src/c.ts', 'src/a/b/c.ts'], ['c.ts', 'lib/src/c.ts', 'srcs/c.ts']],
  ['src/**', ['src', 'src/a', 'src/a/b'], ['lib/src']],
  ['a/**/b/**/c', ['a/b/c', 'a/x/b/y/z/c', 'a/b/b/c'], ['a/c', 'a/b']],
  ['**', ['a', 'a/b/c'], []],
  ['a**b', ['ab', 'axxb'], ['a/b']],
  ['a/*/c', ['a/b/c', 'a/.b/c'], ['a/c', 'a/b/b/c']],
  ['?.md', ['a.md', '🦌.md', 'é.md'], ['.md', 'ab.md']],
  ['[a-c]*', ['a', 'bx'], ['d', 'A', '-']],
  ['[!a-c]*', ['d', '.env'], ['a']],
  ['[^a]', ['b', '^'], ['a']],
  ['[]x]', [']', 'x'], ['y']],
  ['[abc', ['[abc'], ['a']],
  ['*.{ts,js}', ['a.ts', 'a.js'], ['a.{ts,js}', 'a.md']],
  ['{src,lib}/{a,b{1,2}}.ts', ['src/a.ts', 'lib/b2.ts'], ['src/b.ts']],
  ['{only}', ['{only}'], ['only']],
  ['a{b', ['a{b'], ['ab']],
  ['\\*.ts', ['*.ts'], ['a.ts']],
  ['src/**/', ['src', 'src/a/b'], ['lib']],
  ['.*', ['.env'], ['env', 'a/.env']],
  ['**/.*/**', ['.git/a', 'a/.git/b/c', '.env'], ['a/b']],
  ['!a', ['!a'], ['a', 'b']],
  ['%2e%2e', ['%2e%2e'], ['..']],
  ['A', ['A'], ['a']],
  ['./src//a.ts', ['src/a.ts'], ['a.ts']],
]

for (const [pattern, yes, no] of vectors) {
  test(`the pattern ${pattern}`, () => {
    const matches = compileGlob(pattern)
    for (const path of yes) assert.is(matches?.(path.split('/')), true, path)
    for (const path of no) assert.is(matches?.(path.split('/')), false, path)
  })
}

test('a pattern that would blow up is refused or stays fast', () => {
  assert.is(compileGlob('{a,b}'.repeat(12)), null)
  assert.is(compileGlob(`${'{'.repeat(400)}a,b${'}'.repeat(400)}`)?.(['x']), false)
  assert.is(compileGlob('x'.repeat(1001)), null)
  const started = performance.now()
  assert.is(compileGlob(`${'*a'.repeat(100)}*b`)?.(['a'.repeat(4000)]), false)
  assert.is(compileGlob(`${'**/a/'.repeat(100)}b`)?.(Array(500).fill('a')), false)
  assert.ok(performance.now() - started < 1000)
})

test.run()
