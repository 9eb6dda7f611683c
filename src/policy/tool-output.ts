import type { OutputSettings } from '../contract/settings.ts'
import { head, tail } from './bound.ts'

/** What a tool shows at most where the whole is not kept. The others cut their results themselves. */
const INLINE_MAX: Readonly<Record<string, number>> = { bash: 20_000 }

const ahead = (text: string, chars: number): string => (chars > 0 ? head(text, chars) : '')
const behind = (text: string, chars: number): string => (chars > 0 ? tail(text, chars) : '')

/** Beginning and end of a text around a mark, together never more than `limit`. */
const around = (text: string, mark: string, headChars: number, tailChars: number, limit: number): string => {
  const room = limit - mark.length
  if (room <= 0) return head(text, limit)
  const first = Math.min(headChars, room)
  return ahead(text, first) + mark + behind(text, Math.min(tailChars, room - first))
}

/** Takes out the middle; the result with its mark has at most `limit` characters. 0: nothing is cut. */
export const cutMiddle = (text: string, limit: number): string => {
  if (limit <= 0 || text.length <= limit) return text
  const mark = (skipped: number): string => `\n... [middle truncated: ${skipped} chars skipped] ...\n`
  const room = Math.max(0, limit - mark(text.length).length)
  if (room === 0) return head(text, limit)
  const first = ahead(text, Math.floor(room / 2))
  const last = behind(text, room - Math.floor(room / 2))
  return first + mark(text.length - first.length - last.length) + last
}

/** Whether a result is to become a file. Exactly at the threshold it stays. Source: contract/runtime §12.3. */
export const becomesFile = (settings: OutputSettings, tool: string, chars: number): boolean => {
  const { enabled, exemptTools, toolOverrides, externalizeMinChars } = settings
  if (!enabled || exemptTools.includes(tool)) return false
  const threshold = Object.hasOwn(toolOverrides, tool) ? (toolOverrides[tool] ?? 0) : externalizeMinChars
  return threshold > 0 && chars > threshold
}

/** What the model sees of a result whose whole is in a file. */
export const preview = (text: string, path: string, { previewHeadChars, previewTailChars }: OutputSettings): string => {
  const first = ahead(text, previewHeadChars)
  const last = behind(text, previewTailChars)
  const left = text.length - first.length - last.length
  // Where the threshold is low, what is shown may be all there is.
  if (left <= 0) return text
  const mark = `\n... [${left} of ${text.length} chars left out here. The whole is in ${path} (read parts of it with start_line/end_line, or search it)] ...\n`
  return first + mark + last
}

/** What the model sees of a result that is in no file. */
export const inline = (text: string, tool: string, { toolOverrides }: OutputSettings): string => {
  const own = INLINE_MAX[tool]
  return own === undefined ? text : cutMiddle(text, Math.max(own, toolOverrides[tool] ?? 0))
}

/** What the model sees of a result that should have become a file and could not. */
export const fallback = (text: string, tool: string, settings: OutputSettings): string => {
  const { fallbackMaxChars, fallbackHeadChars, fallbackTailChars } = settings
  const shown = inline(text, tool, settings)
  if (fallbackMaxChars === 0 || shown.length <= fallbackMaxChars) return shown
  const left = Math.max(0, text.length - fallbackHeadChars - fallbackTailChars)
  const mark = `\n... [${left} of ${text.length} chars left out. They could not be written to a file] ...\n`
  return around(text, mark, fallbackHeadChars, fallbackTailChars, fallbackMaxChars)
}
