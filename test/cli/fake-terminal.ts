import { EventEmitter } from 'node:events'
import { widthOf } from '../../src/cli/view/text.ts'

const ESC = '\\u001b'
const PIECES = new RegExp(`${ESC}\\[[?0-9;]*[A-Za-z]|\\n|\\r|[^${ESC}\\n\\r]+`, 'g')
const SEQUENCE = new RegExp(`^${ESC}\\[(\\??[0-9;]*)([A-Za-z])$`)

/** A terminal as far as Troupe drives one: it obeys the sequences used, and fails on any other. */
export class FakeTerminal extends EventEmitter {
  columns: number
  rows: number
  readonly isTTY = true
  cursorShown = true
  wraps = true
  /** All that was written. */
  raw = ''
  #lines: string[][] = [[]]
  #y = 0
  #x = 0

  constructor(columns: number, rows = 24) {
    super()
    this.columns = columns
    this.rows = rows
  }

  /** What stands on the terminal and above it, without blank lines at the end. */
  get text(): string[] {
    const lines = this.#lines.map((cells) => cells.join('').trimEnd())
    return lines.slice(0, lines.findLastIndex((line) => line !== '') + 1)
  }

  write(text: string): boolean {
    this.raw += text
    const pieces = text.match(PIECES) ?? []
    if (pieces.join('') !== text) throw new Error(`the terminal does not know ${JSON.stringify(text)}`)
    for (const piece of pieces) this.#obey(piece)
    return true
  }

  /** Folds what is wider than the new width, as terminals do. */
  resize(columns: number): void {
    this.columns = columns
    const below = this.#lines.length - this.#y
    this.#lines = this.#lines.flatMap((cells) => {
      const parts: string[][] = []
      for (let at = 0; at === 0 || at < cells.length; at += columns) parts.push(cells.slice(at, at + columns))
      return parts
    })
    this.#y = this.#lines.length - below
    this.emit('resize')
  }

  #obey(piece: string): void {
    const [, number = '', kind = ''] = SEQUENCE.exec(piece) ?? []
    const line = this.#line()
    if (piece === '\n') this.#newline()
    else if (piece === '\r') this.#x = 0
    else if (kind === 'A') this.#y = Math.max(0, this.#y - Number(number || 1))
    else if (kind === 'K') line.length = Math.min(line.length, this.#x)
    else if (kind === 'J') {
      line.length = Math.min(line.length, this.#x)
      this.#lines.length = this.#y + 1
    } else if (number === '?25') this.cursorShown = kind === 'h'
    else if (number === '?7') this.wraps = kind === 'h'
    else if (kind === '') this.#print(piece)
    else if (kind !== 'm') throw new Error(`the terminal does not know ${JSON.stringify(piece)}`)
  }

  #print(text: string): void {
    for (const { segment } of new Intl.Segmenter().segment(text)) {
      const width = widthOf(segment)
      if (this.#x + width > this.columns) {
        if (!this.wraps) continue
        this.#newline()
      }
      const line = this.#line()
      while (line.length < this.#x) line.push(' ')
      line.splice(this.#x, width, segment, ...Array.from({ length: Math.max(0, width - 1) }, () => ''))
      this.#x += width
    }
  }

  #newline(): void {
    this.#y++
    this.#x = 0
    this.#line()
  }

  #line(): string[] {
    while (this.#lines.length <= this.#y) this.#lines.push([])
    return this.#lines[this.#y] as string[]
  }
}
