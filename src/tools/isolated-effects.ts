import type { Effect } from './context.ts'
import { glob } from './glob.ts'
import { grep } from './grep.ts'

/** Built-ins that run in a tool process, by name: they walk trees and run what a model wrote as a pattern. */
export const isolatedEffects: ReadonlyMap<string, Effect> = new Map<string, Effect>([
  ['glob', glob],
  ['grep', grep],
])
