import { matchesRun } from './wildcard.ts'

/** One place of a pattern within one path segment: any run, or a test of one character. */
type Token = 'run' | ((char: string) => boolean)

const range = (low: string, high: string) => (char: string) => char >= low && char <= high

/** `[a-z]`, `[!a-z]`, `[^a-z]`; a bracket that never closes stands for itself. */
const classAt = (chars: readonly string[], open: number): { token: Token; end: number } | null => {
  const negated = chars[open + 1] === '!' || chars[open + 1] === '^'
  const first = open + (negated ? 2 : 1)
  // A closing bracket in the first place is a member.
  const end = chars.indexOf(']', first + 1)
  if (end < 0) return null
  const tests: ((char: string) => boolean)[] = []
  for (let i = first; i < end; i++) {
    if (chars[i] === '\\' && i + 1 < end) i++
    const low = chars[i] as string
    const isRange = chars[i + 1] === '-' && i + 2 < end
    tests.push(range(low, isRange ? (chars[i + 2] as string) : low))
    if (isRange) i += 2
  }
  return { token: (char) => tests.some((test) => test(char)) !== negated, end }
}

/** The token that begins at `i`, and where it ends. */
const tokenAt = (chars: readonly string[], i: number): { token: Token; end: number } => {
  const char = chars[i]
  if (char === '*') return { token: 'run', end: i }
  if (char === '?') return { token: () => true, end: i }
  const group = char === '[' ? classAt(chars, i) : null
  if (group !== null) return group
  const end = char === '\\' && i + 1 < chars.length ? i + 1 : i
  return { token: (other) => other === chars[end], end }
}

const tokens = (segment: string): Token[] => {
  const chars = Array.from(segment)
  const list: Token[] = []
  for (let i = 0; i < chars.length; i++) {
    const { token, end } = tokenAt(chars, i)
    list.push(token)
    i = end
  }
  return list
}

export type NameTest = (name: string) => boolean

/** A test of one name against one segment of a glob. Dots are ordinary characters. */
export const compileSegment = (segment: string): NameTest => {
  if (/^\*+$/.test(segment)) return () => true
  if (!/[*?[\\]/.test(segment)) return (name) => name === segment
  const list = tokens(segment)
  return (name) =>
    matchesRun(
      list,
      Array.from(name),
      (token) => token === 'run',
      (token, char) => token !== 'run' && token(char),
    )
}
