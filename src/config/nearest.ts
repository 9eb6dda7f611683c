const normal = (word: string): string =>
  word
    .replace(/([a-z\d])([A-Z])/g, '$1_$2')
    .replace(/[\s-]+/g, '_')
    .toLowerCase()

/** Edits between two words: insert, delete, replace, swap neighbours. */
const distance = (a: string, b: string): number => {
  const width = b.length + 1
  const table = Array.from({ length: (a.length + 1) * width }, () => 0)
  const at = (row: number, column: number): number => table[row * width + column] ?? 0
  const cell = (row: number, column: number): number => {
    if (row === 0 || column === 0) return row + column
    const cost = a[row - 1] === b[column - 1] ? 0 : 1
    const edits = Math.min(at(row - 1, column) + 1, at(row, column - 1) + 1, at(row - 1, column - 1) + cost)
    const isSwap = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
    return isSwap ? Math.min(edits, at(row - 2, column - 2) + 1) : edits
  }
  for (let index = 0; index < table.length; index++) table[index] = cell(Math.floor(index / width), index % width)
  return at(a.length, b.length)
}

/** No known word is longer; a longer one would only cost time. */
const WORD_MAX = 100

/** How many slips of the hand two words may be apart. */
const slips = (a: string, b: string): number => Math.max(1, Math.floor(Math.min(a.length, b.length) / 3))

/** The known word that was probably meant: the same but for a slip of the hand, else one that holds it as a part. */
export const nearest = (word: string, known: Iterable<string>): string | undefined => {
  const wanted = normal(word)
  if (wanted === '' || wanted.length > WORD_MAX) return undefined
  const candidates = [...known].filter(({ length }) => length > 0 && length <= WORD_MAX)
  const ranked = candidates
    .map((candidate) => ({ candidate, letters: normal(candidate) }))
    .filter(({ letters }) => Math.abs(letters.length - wanted.length) <= slips(wanted, letters))
    .map(({ candidate, letters }) => ({ candidate, edits: distance(wanted, letters), most: slips(wanted, letters) }))
    .filter(({ edits, most }) => edits <= most)
    .sort((one, other) => one.edits - other.edits)
  return ranked[0]?.candidate ?? candidates.find((candidate) => `_${normal(candidate)}_`.includes(`_${wanted}_`))
}
