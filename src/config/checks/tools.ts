import type { Problem } from '../../contract/errors.ts'
import { BUILTIN_TOOLS } from '../names.ts'
import type { Tree } from '../prepare.ts'
import { problem, texts } from './tree.ts'

/** A tool whose name a built-in or an earlier entry has is left out, and that is said. */
export const checkTools = (tree: Tree): readonly Problem[] => {
  const entries = texts(tree, 'tools.*.name')
  return entries.flatMap(({ path, value }, index) => {
    const first = entries.findIndex((entry) => entry.value === value)
    const taken = BUILTIN_TOOLS.includes(value)
      ? 'a built-in tool'
      : first < index
        ? `the name of ${entries[first]?.path.replace(/\.name$/, '') ?? ''}`
        : null
    return taken === null ? [] : [problem('warning', path, 'name_taken', `is left out: "${value}" is ${taken}`)]
  })
}
