/** A number or truth value of a file together with the characters that stand there, so that text such as `2.10` or `007` survives. */
export class Written {
  readonly source: string
  readonly value: unknown

  constructor(source: string, value: unknown) {
    this.source = source
    this.value = value
  }

  /** What stands where no text is wanted. A leading zero is octal to some and decimal to others, so it stays text. */
  get plain(): unknown {
    return /^[-+]?0\d/.test(this.source) ? this.source : this.value
  }
}
