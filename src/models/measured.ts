/** A text, and its length in UTF-8: asking for that of a text in parts would first make a copy in one piece. */
export interface Measured {
  readonly text: string
  readonly bytes: number
}

export const measured = (text: string): Measured => ({ text, bytes: Buffer.byteLength(text) })
