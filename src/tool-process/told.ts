const TEXT_MAX = 500

const parts = (thrown: unknown): string => {
  if (!(thrown instanceof Error)) return `threw ${String(thrown)}`
  const text = thrown.name === 'Error' ? thrown.message : `${thrown.name}: ${thrown.message}`
  // Only the stack of a syntax error says in which file it is.
  const place = thrown instanceof SyntaxError ? thrown.stack?.split('\n', 1)[0] : undefined
  return place?.startsWith('file:') ? `${text} (${place})` : text
}

/** Whatever was thrown in a few words, for a person who configures or reads a log. */
export const told = (thrown: unknown): string => {
  try {
    return parts(thrown).slice(0, TEXT_MAX)
  } catch {
    return 'threw something that cannot be shown'
  }
}
