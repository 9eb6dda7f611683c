import { writeWhole } from '../sandbox/write.ts'
import type { ToolContext } from './context.ts'
import { attempt, failure, success } from './outcome.ts'

/** Larger contents are often cut by the model's own limit; told so, it writes in parts and loses nothing. */
const BYTES_MAX = 81_920

export type WriteFileArguments = {
  readonly path: string
  readonly content: string
  readonly append?: boolean | undefined
}

/** Writes a text file, made with its folders where it is missing. */
export const writeFile = (args: WriteFileArguments, context: ToolContext) =>
  attempt(context, args.path, 'write', async () => {
    const append = args.append === true
    const content = Buffer.from(args.content, 'utf8')
    if (!append && content.length > BYTES_MAX) {
      return failure(
        `The content has ${content.length} bytes, over the ${BYTES_MAX}-byte limit of one write. Nothing was written. ` +
          'Write the first part, then add the others with append: true',
      )
    }
    const path = await writeWhole(context.view, args.path, content, { append, signal: context.signal })
    return { ...success('OK'), files: [path] }
  })
