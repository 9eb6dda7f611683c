/** How many bytes of `sought` match after one more byte, when `length` of them matched before it. */
const advance = (sought: Buffer, back: Int32Array, length: number, byte: number | undefined): number => {
  let matched = length
  while (matched > 0 && byte !== sought[matched]) matched = back[matched - 1] as number
  return byte === sought[matched] ? matched + 1 : matched
}

/** For each length of a matched beginning, the longest shorter one that is also its end. */
const fallbacks = (sought: Buffer): Int32Array => {
  const back = new Int32Array(sought.length)
  for (let i = 1; i < sought.length; i++) back[i] = advance(sought, back, back[i - 1] as number, sought[i])
  return back
}

export interface Search {
  /** Places that are not on a multiple of it do not count. */
  readonly unit: number
  /** Whether places count that begin within another. */
  readonly overlapping: boolean
  /** Places after which nobody looks on. */
  readonly max: number
}

/**
 * Where the bytes `sought` stand in `bytes`, in order. Linear in time: the search of a Buffer takes minutes for what a
 * model may ask of one megabyte.
 */
export const occurrences = (bytes: Buffer, sought: Buffer, { unit, overlapping, max }: Search): number[] => {
  const back = fallbacks(sought)
  const places: number[] = []
  let length = 0
  for (let i = 0; i < bytes.length && places.length < max; i++) {
    length = advance(sought, back, length, bytes[i])
    if (length < sought.length) continue
    const place = i + 1 - length
    const counts = place % unit === 0
    if (counts) places.push(place)
    length = counts && !overlapping ? 0 : (back[length - 1] as number)
  }
  return places
}
