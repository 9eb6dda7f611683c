import type { Describes, ToolDescription } from '../../contract/tool-frames.ts'
import type { ToolModule } from '../../contract/tools.ts'
import { describeJob } from './jobs.ts'
import type { Job } from './running.ts'
import type { Clock } from './timer.ts'
import type { CallKey } from './waiting.ts'

interface Places {
  enqueue(job: Job): void
  abort(key: CallKey): void
}

/** Reads tools or models from their modules, each on its own, so that one that hangs or ends its process spoils no other. */
export const describeModules = (
  of: Describes,
  modules: readonly ToolModule[],
  deadlineMs: number,
  places: Places,
  clock: Clock,
): Promise<readonly ToolDescription[]> =>
  Promise.all(
    modules.map(
      (module) =>
        new Promise<ToolDescription>((resolve) => {
          const job = describeJob(of, module, (description) => {
            callOff()
            resolve(description)
          })
          const callOff = clock.after(deadlineMs, () => {
            places.abort(job.key)
            resolve({ ok: false, error: `the module did not load within ${deadlineMs / 1000} seconds` })
          })
          places.enqueue(job)
        }),
    ),
  )
