import type { HostTool } from '../contract/api.ts'
import type { Caller, ToolOutcome, ToolSpec } from '../contract/tools.ts'
import { failureOf, outcomeOf, refusal } from '../policy/tool-outcome.ts'
import type { Clock } from './clock.ts'

export interface HostCall {
  readonly spec: ToolSpec
  /** JSON text of one object. */
  readonly args: string
  readonly caller: Caller
  readonly graceMs: number
  readonly onDone: (outcome: ToolOutcome) => void
}

/** The embedder's own tools, which must run on the host thread. A call past its deadline and grace is abandoned. */
export interface HostTools {
  /** Starts a call and returns its abort; after it `onDone` hears nothing. */
  call(call: HostCall): () => void
}

const parameters = async ({ schema }: HostTool): Promise<Readonly<Record<string, unknown>>> => {
  if (schema === undefined || schema === null) return { type: 'object', properties: {} }
  const { toJsonSchema } = await import('@langchain/core/utils/json_schema')
  return toJsonSchema(schema as Parameters<typeof toJsonSchema>[0]) as Readonly<Record<string, unknown>>
}

const HOST_TOOL_TIMEOUT_MS = 300_000
/** What `tool_groups` calls the tools that the embedder brings. */
const HOST_GROUP = 'host'

/** What models are told of the host's tools. */
export const hostToolSpecs = (tools: readonly HostTool[]): Promise<readonly ToolSpec[]> =>
  Promise.all(
    tools.map(async (tool) => ({
      name: tool.name,
      description: tool.description ?? '',
      parameters: await parameters(tool),
      placement: 'host' as const,
      timeoutMs: HOST_TOOL_TIMEOUT_MS,
      group: HOST_GROUP,
      module: null,
    })),
  )

export const createHostTools = (tools: readonly HostTool[], clock: Clock): HostTools => {
  // The first of a name counts: it is the one that models are told of.
  const byName = new Map([...tools].reverse().map((tool) => [tool.name, tool]))
  return {
    call({ spec, args, caller, graceMs, onDone }) {
      const { name, timeoutMs } = spec
      const controller = new AbortController()
      let open = true
      let cancelTimer = (): void => {}
      const finish = (outcome: ToolOutcome): void => {
        if (!open) return
        open = false
        cancelTimer()
        onDone(outcome)
      }
      const invoke = async (): Promise<ToolOutcome> => {
        const tool = byName.get(name)
        if (!tool) return refusal(`Tool '${name}' is not one of hostTools`)
        return outcomeOf(await tool.invoke(JSON.parse(args), { signal: controller.signal, configurable: caller }))
      }
      if (timeoutMs !== null) {
        cancelTimer = clock.after(timeoutMs, () => {
          controller.abort()
          const timedOut = refusal(`Tool '${name}' timed out after ${timeoutMs / 1000} seconds and was stopped.`)
          cancelTimer = clock.after(graceMs, () => finish(timedOut))
        })
      }
      invoke().then(finish, (thrown: unknown) => finish(failureOf(name, thrown)))
      return () => {
        open = false
        cancelTimer()
        controller.abort()
      }
    },
  }
}
