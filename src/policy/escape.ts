/** Text that can open or close no tag of the runtime's own. */
export const escapeTags = (text: string): string =>
  text.replace(/&/g, '&amp;').replace(/</g, '&lt;').replace(/>/g, '&gt;')

// Format characters hide or reorder what stands beside them. The two joiners stay: letters and emoji need them.
const HIDDEN = /[^\P{Cf}\u200c\u200d]/gu
const GAPS = /[\s\p{Cc}]+/gu

/** Words of the user's as one line of a prompt, in which nothing acts and nothing is hidden. */
export const promptLine = (text: string): string =>
  escapeTags(text.toWellFormed().replace(HIDDEN, '').replace(GAPS, ' ').trim())
