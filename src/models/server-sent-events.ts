/** Called with the data of one event and the event's name, `''` where the server gave none. */
type OnEvent = (data: string, name: string) => void

export interface EventFeed {
  /** Takes the next decoded piece of the stream, cut anywhere. Returns whether it held more than comments. */
  feed(piece: string): boolean
  /** Takes what the stream ended with; many servers leave the last blank line out. */
  end(): void
}

const CARRIAGE_RETURN = 13
const SPACE = 32
const COLON = 58

/**
 * Splits a stream of server-sent events into their data. A line that a piece cuts off is kept as a rope and flattened
 * once, when its end arrives: searching the whole rest again for each piece would be quadratic.
 */
export const createEventFeed = (onEvent: OnEvent): EventFeed => {
  let rest = ''
  let restIsComment = false
  let data: string | null = null
  let name = ''

  const dispatch = (): void => {
    const complete = data
    const called = name
    data = null
    name = ''
    if (complete !== null) onEvent(complete, called)
  }

  const addData = (line: string): void => {
    const value = line.slice(line.charCodeAt(5) === SPACE ? 6 : 5)
    data = data === null ? value : `${data}\n${value}`
  }

  const takeLine = (raw: string): void => {
    const line = raw.charCodeAt(raw.length - 1) === CARRIAGE_RETURN ? raw.slice(0, -1) : raw
    if (line === '') dispatch()
    else if (line.startsWith('data:')) addData(line)
    else if (line.startsWith('event:')) name = line.slice(6).trim()
    else if (line.startsWith('\uFEFF')) takeLine(line.slice(1))
    // Comments (keep-alives), `id:` and `retry:` say nothing about the answer.
  }

  const feed = (piece: string): boolean => {
    let start = 0
    let alive = false
    for (let newline = piece.indexOf('\n'); newline !== -1; newline = piece.indexOf('\n', start)) {
      const line = rest + piece.slice(start, newline)
      rest = ''
      start = newline + 1
      alive ||= line !== '' && line !== '\r' && line.charCodeAt(0) !== COLON
      takeLine(line)
    }
    if (start === piece.length) return alive
    if (rest === '') restIsComment = piece.charCodeAt(start) === COLON
    rest += piece.slice(start)
    return alive || !restIsComment
  }

  const end = (): void => {
    if (rest !== '') feed('\n')
    dispatch()
  }

  return { feed, end }
}
