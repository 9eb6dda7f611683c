import type { Runtime, RuntimeOptions } from '../contract/api.ts'
import type { Mount } from '../contract/tools.ts'
import { openRuntime as open } from '../runtime/runtime.ts'

/** Like `createRuntime`, with mounts that the config does not name. */
export type OpenRuntime = (
  options: RuntimeOptions,
  internals: { readonly extraMounts?: readonly Mount[] },
) => Promise<Runtime>

/** The one way from the command line into the runtime. */
export const openRuntime: OpenRuntime = (options, internals) => open(options, internals)
