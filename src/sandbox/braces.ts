const ALTERNATIVES_MAX = 200

/** Where the brace that opens at `open` closes, and the commas of its own level; `null` when it never closes. */
const groupAt = (pattern: string, open: number): { close: number; cuts: number[] } | null => {
  const cuts: number[] = []
  let depth = 0
  for (let i = open; i < pattern.length; i++) {
    const char = pattern[i]
    if (char === '\\') i++
    else if (char === '{') depth++
    else if (char === ',' && depth === 1) cuts.push(i)
    else if (char === '}' && --depth === 0) return { close: i, cuts }
  }
  return null
}

const firstGroup = (pattern: string): { open: number; close: number; cuts: number[] } | null => {
  for (let open = 0; open < pattern.length; open++) {
    if (pattern[open] === '\\') open++
    else if (pattern[open] === '{') {
      const group = groupAt(pattern, open)
      if (group !== null && group.cuts.length > 0) return { open, ...group }
    }
  }
  return null
}

/** `a.{ts,js}` as `a.ts` and `a.js`, nested ones too; braces without a comma stay as they are. `null`: too many. */
export const expandBraces = (pattern: string): readonly string[] | null => {
  const done: string[] = []
  const open = [pattern]
  for (let next = open.pop(); next !== undefined; next = open.pop()) {
    if (done.length + open.length > ALTERNATIVES_MAX) return null
    const group = firstGroup(next)
    if (group === null) {
      done.push(next)
      continue
    }
    const ends = [...group.cuts, group.close]
    const starts = [group.open, ...group.cuts]
    for (const [i, start] of starts.entries()) {
      open.push(next.slice(0, group.open) + next.slice(start + 1, ends[i]) + next.slice(group.close + 1))
    }
  }
  return done
}
