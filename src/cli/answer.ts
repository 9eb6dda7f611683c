import { showsLinks } from './view/hyperlinks.ts'
import { styleFor } from './view/style.ts'
import { cleanVisible } from './view/text.ts'
import type { World } from './world.ts'

// Nobody reads more than that on a terminal, and setting it would take seconds.
const RENDERED_MAX = 200_000

const rendered = async (text: string, { stdout, env }: World): Promise<string> => {
  // Loaded now and not at the start: most commands have no answer to render.
  const { renderMarkdown } = await import('./view/markdown/render.ts')
  // One column stays free, for letters that a terminal shows wider than it should.
  const width = Math.max(1, (stdout.columns || 80) - 1)
  return renderMarkdown(text, { width, style: styleFor(env), links: showsLinks(env) }).join('\n')
}

const onTerminal = async (text: string, world: World): Promise<string> => {
  const whole = text.trim()
  if (world.env['TERM'] === 'dumb' || whole.length > RENDERED_MAX) return cleanVisible(whole)
  return await rendered(whole, world)
}

/** What stdout gets of an answer: Markdown rendered on a terminal, elsewhere the text as the model wrote it. */
export const answerText = async (text: string, world: World): Promise<string> => {
  if (world.stdout.isTTY) return `${await onTerminal(text, world)}\n`
  return text.endsWith('\n') ? text : `${text}\n`
}
