/** The environment a config is read in. */
export type Env = Readonly<Record<string, string | undefined>>

const REFERENCE = /^\$(?:([A-Za-z_]\w*)|\{([A-Za-z_]\w*)\})$/

/** The variable that a whole value names, as in `$NAME` or `${NAME}`; `null` for any other text. */
export const variableOf = (value: string): string | null => {
  const match = REFERENCE.exec(value)
  return match?.[1] ?? match?.[2] ?? null
}

/** Whether text looks as if someone hoped that a part of it were replaced, as in `Bearer $TOKEN` or `${HOST:-localhost}`. */
export const looksPartial = (value: string): boolean =>
  variableOf(value) === null && (/(?:^|\s)\$[A-Za-z_]/.test(value) || value.includes('${'))

/** Looks a value up where it names a variable; a variable that is empty counts as unset. */
export const resolveReference = (value: string, env: Env): { readonly value: string } | { readonly unset: string } => {
  const name = variableOf(value)
  if (name === null) return { value }
  const found = env[name]
  return typeof found !== 'string' || found === '' ? { unset: name } : { value: found }
}
