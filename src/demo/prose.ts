/** A name or a line of the folder as Markdown code, whatever it holds. */
export const code = (text: string): string => {
  const line = text.replace(/\s+/g, ' ').trim()
  return line.includes('`') ? `\`\` ${line} \`\`` : `\`${line}\``
}

export const shorten = (text: string, max: number): string => {
  const characters = Array.from(text)
  return characters.length <= max
    ? text
    : `${characters
        .slice(0, max - 1)
        .join('')
        .trimEnd()}…`
}

export const plural = (n: number, one: string, many = `${one}s`): string => `${n} ${n === 1 ? one : many}`

/** `a, b and c`. */
export const list = (words: readonly string[]): string =>
  words.length < 2 ? words.join('') : `${words.slice(0, -1).join(', ')} and ${words.at(-1)}`

/** The first few, and how many more there are. */
export const some = (words: readonly string[], max: number): string =>
  words.length <= max ? list(words) : `${words.slice(0, max).join(', ')} and ${words.length - max} more`

/** How often each comes up, most often first; equal ones in the order they came. */
export const tally = (words: Iterable<string>): readonly (readonly [string, number])[] => {
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return [...counts].sort(([, a], [, b]) => b - a)
}

/** Why a call failed, as a half sentence. */
export const reason = (content: string): string =>
  shorten(content.split('\n', 1)[0]?.replace(/^Error:?\s*/, '') || 'no reason given', 160)
