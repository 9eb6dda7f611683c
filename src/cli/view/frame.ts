import type { Style } from './style.ts'

/** What a picture is drawn for. */
export interface Frame {
  readonly width: number
  /** Rows there are; 0 for no bound. */
  readonly height: number
  readonly now: number
  /** What turns beside whatever runs. */
  readonly spinner: string
  readonly style: Style
}
