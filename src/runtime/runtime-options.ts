import type { HostTool, RuntimeOptions } from '../contract/api.ts'
import { checkShape, FUNCTION, invalid, LIST, must, OBJECT, type OptionRule, PATH_OR_URL } from './option-shape.ts'

const HOME = must('the path of a folder', (value) => typeof value === 'string' && value.trim() !== '')
/** Whatever it is, the config's own reader says what is wrong with it, and where. */
const CONFIG: OptionRule = () => null

const RULES: Readonly<Record<keyof RuntimeOptions, OptionRule>> = {
  config: CONFIG,
  home: HOME,
  env: OBJECT,
  hostTools: LIST,
  workerUrl: PATH_OR_URL,
  log: FUNCTION,
}

const NAME = /^[A-Za-z0-9_-]{1,64}$/

const checkHostTool = (tool: Partial<HostTool> | null | undefined, index: number): void => {
  const at = `hostTools.${index}`
  if (typeof tool?.name !== 'string') invalid(at, 'has no name, and so is no LangChain tool')
  else if (!NAME.test(tool.name))
    invalid(`${at}.name`, `"${tool.name}" must be 1 to 64 letters, digits, "_" or "-", as model providers ask`)
  else if (typeof tool.invoke !== 'function') invalid(at, `("${tool.name}") has no function invoke`)
  else if (tool.description !== undefined && typeof tool.description !== 'string')
    invalid(`${at}.description`, 'must be a text')
}

/** Throws a `TroupeError` with code `OPTIONS_INVALID` that names the option. */
export const checkRuntimeOptions = (options: RuntimeOptions): void => {
  checkShape(options, RULES, 'createRuntime')
  for (const [index, tool] of (options.hostTools ?? []).entries()) checkHostTool(tool, index)
}
