import MarkdownIt, { type Token } from 'markdown-it'

/** One element of a text: a block or a piece of one, with what is inside. */
export interface Node {
  readonly token: Token
  readonly children: readonly Node[]
}

// Tags stay text, so that a reader sees all that the model wrote. Terminals find bare addresses by themselves.
const parser = new MarkdownIt({ html: false, linkify: false })

/** Opening and closing tokens as elements; an inline token holds its own. */
const nest = (tokens: readonly Token[]): readonly Node[] => {
  const root: Node[] = []
  const open = [root]
  for (const token of tokens) {
    const siblings = open.at(-1) ?? root
    if (token.nesting < 0) open.pop()
    else {
      const children = token.children ? [...nest(token.children)] : []
      siblings.push({ token, children })
      if (token.nesting > 0) open.push(children)
    }
  }
  return root
}

export const parseMarkdown = (text: string): readonly Node[] => nest(parser.parse(text, {}))
