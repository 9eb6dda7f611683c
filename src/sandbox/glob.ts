import { expandBraces } from './braces.ts'
import { compileSegment, type NameTest } from './segment.ts'
import { matchesRun } from './wildcard.ts'

const PATTERN_MAX = 1000

export type PathTest = (segments: readonly string[]) => boolean

const compileOne = (pattern: string): PathTest => {
  const parts = pattern
    .split('/')
    .filter((part) => part !== '' && part !== '.')
    .map((part): NameTest | '**' => (part === '**' ? part : compileSegment(part)))
  return (segments) =>
    matchesRun(
      parts,
      segments,
      (part) => part === '**',
      (part, name) => part !== '**' && part(name),
    )
}

/**
 * A test of path segments: `*` and `?` stay within one name, `**` between slashes is any number of folders, also none;
 * `[a-z]`, `[!a-z]`, `{a,b}` and `\` as in a shell. `null` for a pattern that is too large.
 */
export const compileGlob = (pattern: string): PathTest | null => {
  if (pattern.length > PATTERN_MAX) return null
  const tests = expandBraces(pattern)?.map(compileOne)
  return tests === undefined ? null : (segments) => tests.some((test) => test(segments))
}
