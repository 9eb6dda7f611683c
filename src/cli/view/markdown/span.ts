import type { Colour, Style } from '../style.ts'

/** How a piece of text looks. Pieces of one look share the object. */
export interface Look {
  readonly colours: readonly Colour[]
  /** Where a click leads; only where the terminal knows links. */
  readonly href: string | null
}

/** A piece of clean text in one look. */
export interface Span {
  readonly text: string
  readonly look: Look
}

export type Line = readonly Span[]

export const PLAIN: Look = { colours: [], href: null }

/** What text is set for. */
export interface Canvas {
  readonly width: number
  readonly style: Style
  /** Whether the terminal knows links (OSC 8). */
  readonly links: boolean
}

const linked = (href: string | null, text: string): string =>
  href === null ? text : `\u001b]8;;${href}\u001b\\${text}\u001b]8;;\u001b\\`

export const lineText = (line: Line, { style }: Canvas): string => {
  const runs: { text: string; readonly look: Look }[] = []
  for (const { text, look } of line) {
    const last = runs.at(-1)
    if (last?.look === look) last.text += text
    else runs.push({ text, look })
  }
  return runs.map(({ text, look }) => linked(look.href, style.paint(look.colours, text))).join('')
}
