/**
 * Matches a sequence against a pattern in which some items stand for any run. Steps back to the last such item only, so
 * it is quadratic at worst whatever the pattern: no pattern a model writes can hang it.
 */
export const matchesRun = <Part, Item>(
  pattern: readonly Part[],
  items: readonly Item[],
  isRun: (part: Part) => boolean,
  fits: (part: Part, item: Item) => boolean,
): boolean => {
  let at = 0
  let run = -1
  let runStart = 0
  let i = 0
  while (i < items.length) {
    const part = pattern[at]
    const item = items[i] as Item
    if (part !== undefined && isRun(part)) {
      run = at++
      runStart = i
    } else if (part !== undefined && fits(part, item)) {
      at++
      i++
    } else if (run >= 0) {
      at = run + 1
      i = ++runStart
    } else return false
  }
  while (at < pattern.length && isRun(pattern[at] as Part)) at++
  return at === pattern.length
}
