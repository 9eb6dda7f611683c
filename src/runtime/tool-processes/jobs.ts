import type { Describes, ToolDescription, ToolTarget, ToolView } from '../../contract/tool-frames.ts'
import type { Caller, ToolModule, ToolOutcome } from '../../contract/tools.ts'
import type { Job } from './running.ts'
import type { CallKey } from './waiting.ts'

export interface ToolCall {
  readonly key: CallKey
  /** Waiting calls of different runs take turns. */
  readonly runId: string
  /** The tool as the model knows it, for messages. */
  readonly tool: string
  readonly target: ToolTarget
  /** JSON text of one object; passed on unread. */
  readonly args: string
  readonly caller: Caller
  readonly view: ToolView
  readonly timeoutMs: number | null
  /** Hears one outcome, unless `abort` came first. */
  readonly onDone: (outcome: ToolOutcome) => void
}

export const callJob = ({ key, runId, tool, target, args, caller, view, timeoutMs, onDone }: ToolCall): Job => ({
  key,
  runId,
  name: tool,
  module: target.kind === 'module' ? target.url : null,
  timeoutMs,
  request: (id) => ({ type: 'call', id, tool, target, caller, view }),
  body: args,
  done: (answer, content) => {
    if (answer.type !== 'done') return
    const { status, files, metadata } = answer
    onDone({ status, content, ...(files && { files }), ...(metadata && { metadata }) })
  },
  failed: (reason) => onDone({ status: 'error', content: `Error: Tool '${tool}' ${reason}.` }),
})

export const describeJob = (
  of: Describes,
  module: ToolModule,
  onDone: (description: ToolDescription) => void,
): Job => ({
  key: Symbol(module.export),
  // The runtime itself; no run has this id.
  runId: '',
  name: module.export,
  module: module.url,
  timeoutMs: null,
  request: (id) => ({ type: 'describe', id, of, module }),
  body: '',
  done: (answer) => answer.type === 'described' && onDone(answer.result),
  failed: (reason) => onDone({ ok: false, error: `the module ${reason} when it was loaded` }),
})
