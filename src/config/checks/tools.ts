import type { Problem } from '../../contract/errors.ts'
import { BUILTIN_TOOLS } from '../names.ts'
import type { Tree } from '../prepare.ts'
import { firstByValue } from './first.ts'
import { problem, texts } from './tree.ts'

/** A tool whose name a built-in or an earlier entry has is left out, and that is said. */
export const checkTools = (tree: Tree): readonly Problem[] => {
  const entries = texts(tree, 'tools.*.name')
  const first = firstByValue(entries)
  const takenBy = (entry: (typeof entries)[number]): string | null => {
    if (BUILTIN_TOOLS.includes(entry.value)) return 'a built-in tool'
    const other = first.get(entry.value)
    return other === entry ? null : `the name of ${other?.path.replace(/\.name$/, '') ?? ''}`
  }
  return entries.flatMap((entry) => {
    const taken = takenBy(entry)
    return taken === null
      ? []
      : [problem('warning', entry.path, 'name_taken', `is left out: "${entry.value}" is ${taken}`)]
  })
}
