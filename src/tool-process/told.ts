const TEXT_MAX = 500

const parts = (thrown: unknown): string => {
  if (!(thrown instanceof Error)) return `threw ${String(thrown)}`
  return thrown.name === 'Error' ? thrown.message : `${thrown.name}: ${thrown.message}`
}

/** Whatever was thrown in a few words, for a person who configures or reads a log. */
export const told = (thrown: unknown): string => {
  try {
    return parts(thrown).slice(0, TEXT_MAX)
  } catch {
    return 'threw something that cannot be shown'
  }
}
