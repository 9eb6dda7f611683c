/** Takes lines `from` to `to` (counted from 1) out of a text that comes in pieces, and keeps no more than `limit` characters. */
export interface LineRange {
  /** Returns false once nothing more is wanted. */
  feed(piece: string): boolean
  /** The first `limit` characters of the lines, without the line end of the last one when that was seen. */
  readonly start: string
  /** Characters of the lines seen so far. */
  readonly total: number
  /** The first line asked for is there. */
  readonly reached: boolean
}

export const lineRange = (from: number, to: number, limit: number): LineRange => {
  let line = 1
  let start = ''
  let total = 0
  let reached = false
  const keep = (text: string): void => {
    reached ||= text !== ''
    total += text.length
    if (start.length < limit) start += text.slice(0, limit - start.length)
  }
  /** Where line `target` begins in the piece, or -1 when it does not. */
  const find = (piece: string, at: number, target: number): number => {
    let place = at
    while (line < target) {
      const end = piece.indexOf('\n', place)
      if (end < 0) return -1
      line++
      place = end + 1
    }
    return place
  }
  return {
    feed(piece) {
      const begin = find(piece, 0, from)
      if (begin < 0) return true
      if (to === Number.POSITIVE_INFINITY) {
        keep(piece.slice(begin))
        return true
      }
      const end = find(piece, begin, to + 1)
      keep(piece.slice(begin, end < 0 ? piece.length : end))
      return end < 0
    },
    get start() {
      return start
    },
    get total() {
      return total
    },
    get reached() {
      return reached
    },
  }
}
