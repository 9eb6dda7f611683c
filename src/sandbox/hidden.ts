import { compileGlob } from './glob.ts'

export type Hides = (segments: readonly string[]) => boolean

// File systems that ignore case open `.ENV` as `.env`, so hiding ignores case everywhere.
const fold = (text: string): string => text.toLowerCase()

const compileHidden = (written: string): Hides => {
  const pattern = fold(written).replace(/^\/|\/$/g, '')
  const matches = compileGlob(pattern)
  // The home folder is written here as it is called, and its name may hold what a pattern reads as a sign.
  if (pattern.includes('/')) return (segments) => segments.join('/') === pattern || matches?.(segments) === true
  return (segments) => segments.at(-1) === pattern || matches?.(segments.slice(-1)) === true
}

/**
 * Whether something below a mount stays hidden: it or a folder above it matches. A pattern without a slash means a name
 * at any depth, one with a slash a path from the mount on.
 */
export const compileHides = (patterns: readonly string[]): Hides => {
  const tests = patterns.map(compileHidden)
  if (tests.length === 0) return () => false
  return (segments) => {
    const folded = segments.map(fold)
    return folded.some((_, i) => {
      const upTo = folded.slice(0, i + 1)
      return tests.some((test) => test(upTo))
    })
  }
}
