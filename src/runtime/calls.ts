import { join } from 'node:path'
import type { RemoteCall } from '../contract/envelopes.ts'
import type { ToolOutcome } from '../contract/tools.ts'
import { refusal } from '../policy/tool-outcome.ts'
import { callKey } from './call-key.ts'
import type { HostTools } from './host-tools.ts'
import type { Threads } from './threads.ts'
import type { ToolProcesses } from './tool-processes/pool.ts'
import type { Assignment } from './tracked.ts'

export interface CallsOptions {
  readonly threads: Threads
  readonly toolProcesses: ToolProcesses
  readonly hostTools: HostTools
}

/** Tool calls that an agent thread hands over: to a tool process, or to the embedder's own tools. */
export interface Calls {
  start(thread: number, assignment: Assignment, call: RemoteCall): void
  abort(key: string): void
}

export const createCalls = ({ threads, toolProcesses, hostTools }: CallsOptions): Calls => {
  const onHost = new Map<string, () => void>()
  return {
    start(thread, assignment, { callKey: number, tool, args, caller }) {
      const { run } = assignment
      const key = callKey(thread, number)
      const onDone = (outcome: ToolOutcome): void => {
        onHost.delete(key)
        assignment.calls.delete(key)
        threads.post(thread, { type: 'called', callKey: number, outcome })
      }
      const spec = run.settings.tool(tool)
      if (!spec) return onDone(refusal(`Tool '${tool}' is not part of this run`))
      const { home, mounts, graceMs } = run.settings.thread
      assignment.calls.add(key)
      if (spec.placement === 'host') {
        onHost.set(key, hostTools.call({ spec, args, caller, graceMs, onDone }))
        return
      }
      const target = spec.module
        ? ({ kind: 'module', ...spec.module } as const)
        : ({ kind: 'builtin', name: tool } as const)
      const view = { userData: join(home, 'threads', run.threadId, 'user-data'), mounts }
      toolProcesses.call({ key, runId: run.id, tool, target, args, caller, view, timeoutMs: spec.timeoutMs, onDone })
    },
    abort(key) {
      const abortOnHost = onHost.get(key)
      onHost.delete(key)
      if (abortOnHost) abortOnHost()
      else toolProcesses.abort(key)
    },
  }
}
