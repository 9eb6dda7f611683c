import { isRecord } from '../contract/is-record.ts'

const TEXT_BLOCKS = new Set<unknown>(['text', 'output_text'])
const MEDIA_BLOCKS = new Map<unknown, string>([
  ['image', 'image'],
  ['image_url', 'image'],
  ['input_audio', 'audio'],
  ['audio', 'audio'],
  ['video', 'video'],
  ['file', 'file'],
])

/** The text of a message's content: a string as it is; of a list of blocks, what is text, with media named. */
export const textOfContent = (content: unknown): string => {
  if (typeof content === 'string') return content
  return Array.isArray(content) ? content.map(textOfBlock).join('') : ''
}

const textOfBlock = (block: unknown): string => {
  if (typeof block === 'string') return block
  if (!isRecord(block)) return ''
  const { type, text } = block as { readonly type?: unknown; readonly text?: unknown }
  if (TEXT_BLOCKS.has(type)) return typeof text === 'string' ? text : ''
  const media = MEDIA_BLOCKS.get(type)
  return media === undefined ? '' : `[${media}]`
}
