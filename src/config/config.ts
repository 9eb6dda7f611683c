import type * as z from 'zod/mini'
import type { configSchema } from './schema.ts'

type DeepReadonly<T> = T extends readonly (infer U)[]
  ? readonly DeepReadonly<U>[]
  : T extends object
    ? { readonly [K in keyof T]: DeepReadonly<T[K]> }
    : T

/** A config that was checked: every section is there with every default. Names of variables stand as written, never their values. */
export type Config = DeepReadonly<z.output<typeof configSchema>>

export type ModelConfig = Config['models'][number]
export type ToolConfig = Config['tools'][number]
