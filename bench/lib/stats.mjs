const sorted = (values) => values.filter(Number.isFinite).toSorted((a, b) => a - b)

export function quantile(values, q) {
  const list = sorted(values)
  if (list.length === 0) return Number.NaN
  const at = (list.length - 1) * q
  const low = Math.floor(at)
  return list[low] + (list[Math.ceil(at)] - list[low]) * (at - low)
}

export const median = (values) => quantile(values, 0.5)

/** Median with its extremes over the rounds. */
export const spread = (values) => ({ median: median(values), min: quantile(values, 0), max: quantile(values, 1) })
