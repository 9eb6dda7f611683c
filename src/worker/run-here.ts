import { after } from '../contract/after.ts'
import type { Caller, ToolOutcome, ToolSpec } from '../contract/tools.ts'
import { failureOf, outcomeOf, refusal } from '../policy/tool-outcome.ts'
import { loadTool } from '../tools/load-tool.ts'
import { workerEffects } from '../tools/worker-effects.ts'
import { type Agent, viewOf } from './agent.ts'
import { commandContextOf } from './command-owner.ts'

type Args = Readonly<Record<string, unknown>>

/** An abort signal made only when somebody reads it: most built-in tools never do. */
const lazySignal = (): { readonly signal: AbortSignal; abort(): void } => {
  let controller: AbortController | undefined
  let aborted = false
  return {
    get signal() {
      controller ??= new AbortController()
      if (aborted) controller.abort()
      return controller.signal
    },
    abort() {
      aborted = true
      controller?.abort()
    },
  }
}

const effectOf = async (
  agent: Agent,
  spec: ToolSpec,
  args: Args,
  caller: Caller,
  source: { readonly signal: AbortSignal },
) => {
  if (spec.module !== null) {
    const tool = await loadTool(spec.module)
    return outcomeOf(await tool.invoke(args, { signal: source.signal, configurable: caller }))
  }
  const effect = workerEffects.get(spec.name)
  if (!effect) return refusal(`Tool '${spec.name}' does not run on an agent thread`)
  return await effect(args, {
    get view() {
      return viewOf(agent)
    },
    get commands() {
      return commandContextOf(agent)
    },
    get signal() {
      return source.signal
    },
  })
}

/**
 * Runs a tool on the agent's thread. Trusted code that only waits: past its deadline it is told to stop, and after the
 * grace time the call is abandoned, whatever the tool does.
 */
export const runHere = (
  agent: Agent,
  spec: ToolSpec,
  args: Args,
  caller: Caller,
  done: (outcome: ToolOutcome) => void,
): (() => void) => {
  const source = lazySignal()
  let cancelTimer = (): void => {}
  let open = true
  const finish = (outcome: ToolOutcome): void => {
    if (!open) return
    open = false
    cancelTimer()
    done(outcome)
  }
  const { timeoutMs } = spec
  if (timeoutMs !== null) {
    cancelTimer = after(timeoutMs, () => {
      source.abort()
      const timedOut = refusal(`Tool '${spec.name}' timed out after ${timeoutMs / 1000} seconds and was stopped.`)
      cancelTimer = after(agent.toolbox.settings.graceMs, () => finish(timedOut))
    })
  }
  const run = (): void => {
    if (!open) return
    effectOf(agent, spec, args, caller, source).then(finish, (thrown: unknown) => finish(failureOf(spec.name, thrown)))
  }
  // A stranger's code may block the thread, so what its agents have said goes out before: the outbox is flushed in the
  // same phase of the loop, and earlier.
  if (spec.module === null) run()
  else setImmediate(run)
  return () => {
    open = false
    cancelTimer()
    source.abort()
  }
}
