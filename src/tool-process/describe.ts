import type { Describes, ToolDescription } from '../contract/tool-frames.ts'
import type { ToolModule } from '../contract/tools.ts'
import { modelExportOf, noChatModel } from '../policy/chat-model.ts'
import { loadExport } from '../tools/load-export.ts'
import { loadTool } from '../tools/load-tool.ts'
import { parametersOf } from './json-schema.ts'
import { loadFailure } from './load-failure.ts'

const DESCRIPTION_MAX = 64 * 1024

type Described = Extract<ToolDescription, { ok: true }>

const tool = async (module: ToolModule): Promise<Described> => {
  const { name, description, schema } = await loadTool(module)
  const text = typeof description === 'string' ? description.slice(0, DESCRIPTION_MAX) : ''
  return { ok: true, name, description: text, parameters: await parametersOf(schema) }
}

/** Loaded, and never made: that takes a key. */
const model = async (module: ToolModule): Promise<Described> => {
  if (modelExportOf(await loadExport(module)) === null) throw new Error(noChatModel(module.export))
  return { ok: true, name: module.export, description: '', parameters: {} }
}

const orWhyNot =
  (read: (module: ToolModule) => Promise<Described>) =>
  async (module: ToolModule): Promise<ToolDescription> => {
    try {
      return await read(module)
    } catch (thrown) {
      return { ok: false, error: await loadFailure(thrown, module.url) }
    }
  }

/** Reads one module: all that the host ever learns of user code. */
export const describe: Readonly<Record<Describes, (module: ToolModule) => Promise<ToolDescription>>> = {
  tool: orWhyNot(tool),
  model: orWhyNot(model),
}
