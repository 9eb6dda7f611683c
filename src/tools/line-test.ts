export type LineTest =
  | { readonly ok: true; test(line: string): boolean }
  | { readonly ok: false; readonly error: string }

const quoted = (text: string): string => text.replace(/[.*+?^${}()|[\]\\/]/g, '\\$&')

const compile = (source: string, flags: string): RegExp => {
  try {
    return new RegExp(source, `${flags}u`)
  } catch {
    // What is only an error under `u`, such as `\-`, is meant as the character.
    return new RegExp(source, flags)
  }
}

/** A test of single lines by a pattern the model wrote. It may take for ever, so only a process that can be killed runs it. */
export const lineTest = (pattern: string, literal: boolean, caseSensitive: boolean): LineTest => {
  // Other dialects write the flag into the pattern.
  const bare = literal ? quoted(pattern) : pattern.replace(/^\(\?i\)/, '')
  const ignoreCase = !caseSensitive || (!literal && bare !== pattern)
  if (bare === '') return { ok: false, error: 'it is empty' }
  try {
    const regex = compile(bare, ignoreCase ? 'i' : '')
    return { ok: true, test: (line) => regex.test(line) }
  } catch (error) {
    const message = error instanceof Error ? error.message : 'not a pattern'
    return { ok: false, error: message.replace(/^Invalid regular expression: /, '') }
  }
}
