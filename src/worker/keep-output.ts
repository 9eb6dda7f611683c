import { randomBytes } from 'node:crypto'
import type { ToolOutcome } from '../contract/tools.ts'
import { becomesFile, fallback, inline, preview } from '../policy/tool-output.ts'
import { openForWriting } from '../sandbox/write.ts'
import { type Agent, viewOf } from './agent.ts'

const write = async (agent: Agent, path: string, content: string): Promise<void> => {
  const { handle } = await openForWriting(viewOf(agent), path, false)
  try {
    await handle.writeFile(content)
  } finally {
    await handle.close()
  }
}

const pathFor = (folder: string, tool: string): string => {
  const name = tool.replace(/[^\w-]/g, '_').slice(0, 64)
  return `/mnt/user-data/outputs/${folder}/${name}-${randomBytes(6).toString('hex')}.${tool === 'bash' ? 'log' : 'txt'}`
}

type Done = (outcome: ToolOutcome) => void

/**
 * Hands on what a call came to, in a size that a transcript can bear: of a long result the whole goes into a file, and
 * the model sees its beginning, its end and the path. Source: contract/runtime §12.3.
 */
export const keepOutput =
  (agent: Agent, tool: string, done: Done): Done =>
  (outcome) => {
    const { output } = agent.toolbox.settings
    const { content } = outcome
    const show = (shown: string): void => done(shown === content ? outcome : { ...outcome, content: shown })
    if (!becomesFile(output, tool, content.length)) return show(inline(content, tool, output))
    const path = pathFor(output.storageSubdir, tool)
    const shown = preview(content, path, output)
    if (shown === content) return show(content)
    write(agent, path, content).then(
      () => show(shown),
      () => show(fallback(content, tool, output)),
    )
  }
