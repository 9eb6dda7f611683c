// Our own codes: node:util's styleText asks stdout whether it is a terminal from Node 22.13 on, and we draw on stderr.
const CODES = { bold: 1, dim: 2, italic: 3, underline: 4, strike: 9, red: 31, green: 32, yellow: 33, cyan: 36 } as const

export type Colour = keyof typeof CODES

/** Colours and marks that the terminal at hand can show. */
export interface Style {
  /** Whether `paint` does anything. */
  readonly coloured: boolean
  readonly paint: (colours: Colour | readonly Colour[], text: string) => string
  readonly frames: readonly string[]
  readonly marks: Readonly<
    Record<'queued' | 'completed' | 'failed' | 'cancelled' | 'timed_out' | 'needs_input', string>
  >
  /** Lines and dots that text is set with. */
  readonly glyphs: Readonly<Record<'branch' | 'lastBranch' | 'bullet' | 'bar' | 'rule' | 'crossing', string>>
}

const UNICODE = {
  frames: [...'⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏'],
  marks: { queued: '·', completed: '✓', failed: '✗', cancelled: '⊘', timed_out: '◷', needs_input: '?' },
  glyphs: { branch: '├', lastBranch: '└', bullet: '•', bar: '│', rule: '─', crossing: '┼' },
} as const

const ASCII = {
  frames: [...'|/-\\'],
  marks: { queued: '.', completed: '+', failed: 'x', cancelled: '-', timed_out: '!', needs_input: '?' },
  glyphs: { branch: '|', lastBranch: '`', bullet: '-', bar: '|', rule: '-', crossing: '+' },
} as const

type Env = Readonly<Record<string, string | undefined>>

// The first that is set decides, as in setlocale(3); none set says nothing about the terminal.
const plainLocale = (env: Env): boolean => /^(C|POSIX)$/.test(env['LC_ALL'] || env['LC_CTYPE'] || env['LANG'] || '')

const coloured = (colours: Colour | readonly Colour[], text: string): string => {
  const codes = [colours].flat().map((colour) => CODES[colour])
  return text === '' || codes.length === 0 ? text : `\u001b[${codes.join(';')}m${text}\u001b[0m`
}

export const styleFor = (env: Env): Style => {
  const plain = Boolean(env['NO_COLOR']) || env['TERM'] === 'dumb'
  return {
    ...(env['TERM'] === 'linux' || plainLocale(env) ? ASCII : UNICODE),
    coloured: !plain,
    paint: plain ? (_, text) => text : coloured,
  }
}
