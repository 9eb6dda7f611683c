import { cleanVisible } from '../text.ts'
import { blocksOf } from './blocks.ts'
import { parseMarkdown } from './parse.ts'
import { type Canvas, lineText } from './span.ts'

/** Markdown of a model as lines for a terminal. Nothing in it drives the terminal but colours and links of our own. */
export const renderMarkdown = (text: string, canvas: Canvas): readonly string[] => {
  const safe = cleanVisible(text)
  const lines = blocksOf(parseMarkdown(safe), canvas).map((line) => lineText(line, canvas).trimEnd())
  // A definition alone, or what is nested beyond reason, has nothing to show but itself.
  return lines.some((line) => line !== '') ? lines : safe.split('\n')
}
