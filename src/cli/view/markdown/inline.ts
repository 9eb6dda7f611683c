import type { Colour } from '../style.ts'
import { cleanVisible } from '../text.ts'
import type { Node } from './parse.ts'
import { type Canvas, type Look, PLAIN, type Span } from './span.ts'

const COLOURS: Readonly<Record<string, Colour>> = { strong: 'bold', em: 'italic', s: 'strike' }

const CLICKABLE = /^(https?|mailto):[\u0021-\u007e]+$/i
const ADDRESS = /^(\w+:\/\/|www\.)/i

const textOf = (nodes: readonly Node[]): string =>
  nodes.map(({ token, children }) => token.content + textOf(children)).join('')

/** The text of a link, and its target where a click cannot lead there or the text claims another one. */
const link = (node: Node, attribute: 'href' | 'src', look: Look, canvas: Canvas): Span[] => {
  const href = String(node.token.attrGet(attribute) ?? '')
  const shown = textOf(node.children)
  const clickable = canvas.links && CLICKABLE.test(href)
  const bare = href.replace(/^mailto:/i, '')
  const told = shown === bare || (clickable && !ADDRESS.test(shown))
  const within: Look = { colours: [...look.colours, 'underline'], href: clickable ? href : look.href }
  return [
    ...spansOf(node.children, canvas, within),
    ...(told || bare === '' ? [] : [{ text: ` (${cleanVisible(bare)})`, look }]),
  ]
}

const code = (text: string, markup: string, look: Look, { style }: Canvas): Span => ({
  text: style.coloured ? text : `${markup}${text}${markup}`,
  look: { ...look, colours: [...look.colours, 'cyan'] },
})

/** What stands in **emphasis**; without colours the marks stay. */
const emphasis = (node: Node, colour: Colour, look: Look, canvas: Canvas): Span[] => {
  const mark = canvas.style.coloured ? [] : [{ text: node.token.markup, look }]
  const within = { ...look, colours: [...look.colours, colour] }
  return [...mark, ...spansOf(node.children, canvas, within), ...mark]
}

const spans = (node: Node, look: Look, canvas: Canvas): Span[] => {
  const { token } = node
  const colour = COLOURS[token.tag]
  if (token.type === 'code_inline') return [code(token.content, token.markup, look, canvas)]
  if (token.type === 'link_open') return link(node, 'href', look, canvas)
  if (token.type === 'image') return link(node, 'src', look, canvas)
  if (token.type === 'hardbreak') return [{ text: '\n', look }]
  if (token.type === 'softbreak') return [{ text: ' ', look }]
  if (colour) return emphasis(node, colour, look, canvas)
  // Cleaned again: what was an entity is a character by now. <br> is the one tag that models write where Markdown has nothing of its own: in cells of a table.
  return [{ text: cleanVisible(token.content).replace(/<br\s*\/?>/gi, '\n'), look }]
}

/** The pieces of a paragraph, a heading or a cell, not yet wrapped. A line feed in them begins a new line. */
export const spansOf = (nodes: readonly Node[], canvas: Canvas, look: Look = PLAIN): Span[] =>
  nodes.flatMap((node) => spans(node, look, canvas))
