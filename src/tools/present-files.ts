import type { ToolOutcome } from '../contract/tools.ts'
import { openForReading } from '../sandbox/read.ts'
import type { ToolContext } from './context.ts'
import { attempt, failure, success } from './outcome.ts'
import { showPath } from './text.ts'

const OUTPUTS = '/mnt/user-data/outputs'

export type PresentFilesArguments = { readonly paths: readonly string[] }

const presentFile = (path: string, context: ToolContext): Promise<ToolOutcome> =>
  attempt(context, path, 'read', async () => {
    const file = await openForReading(context.view, path)
    await file.handle.close()
    return file.path.startsWith(`${OUTPUTS}/`)
      ? { ...success(showPath(file.path)), files: [file.path] }
      : failure(`Only files under ${OUTPUTS} can be presented; copy it there first: ${showPath(file.path)}`)
  })

/** Presents all of the files, or says what is wrong with the first that cannot be and presents none. */
export const presentFiles = async ({ paths }: PresentFilesArguments, context: ToolContext): Promise<ToolOutcome> => {
  const presented: ToolOutcome[] = []
  for (const path of paths) {
    const outcome = await presentFile(path, context)
    if (outcome.status === 'error') return outcome
    presented.push(outcome)
  }
  if (presented.length === 0) return failure('"paths" names no file')
  return {
    ...success(`Presented:\n${presented.map(({ content }) => content).join('\n')}`),
    files: presented.flatMap(({ files = [] }) => files),
  }
}
