import type { ToolDescription } from '../contract/tool-frames.ts'
import type { ToolModule } from '../contract/tools.ts'
import { loadTool } from '../tools/load-tool.ts'
import { parametersOf } from './json-schema.ts'
import { loadFailure } from './load-failure.ts'

const DESCRIPTION_MAX = 64 * 1024

/** Reads one tool from its module: all that the host ever learns of user code. */
export const describe = async (module: ToolModule): Promise<ToolDescription> => {
  try {
    const { name, description, schema } = await loadTool(module)
    const text = typeof description === 'string' ? description.slice(0, DESCRIPTION_MAX) : ''
    return { ok: true, name, description: text, parameters: await parametersOf(schema) }
  } catch (thrown) {
    return { ok: false, error: await loadFailure(thrown, module.url) }
  }
}
