/** Reads one header of an answer, by its name in lower case. */
export type ReadHeader = (name: string) => string | undefined

/** `retry-after-ms`, or `retry-after` in seconds or as a date. What makes no sense, or lies in the past, says nothing. */
export const retryAfterMs = (header: ReadHeader, now: number): number | null => {
  const precise = positive(Number(header('retry-after-ms') ?? Number.NaN))
  const sent = header('retry-after')?.trim() ?? ''
  if (precise !== null || sent === '') return precise
  const seconds = Number(sent)
  return positive(Number.isNaN(seconds) ? Date.parse(sent) - now : seconds * 1000)
}

const positive = (ms: number): number | null => (ms > 0 && Number.isFinite(ms) ? ms : null)
