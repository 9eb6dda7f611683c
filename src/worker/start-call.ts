import { join } from 'node:path'
import type { ToolCall } from '../contract/messages.ts'
import type { Caller, ToolOutcome, ToolSpec } from '../contract/tools.ts'
import { BASH_TOOL_DISABLED } from '../policy/bash-gate.ts'
import { ASK, BLANK_QUESTION } from '../policy/clarification.ts'
import { mask } from '../policy/secrets.ts'
import { refusal } from '../policy/tool-outcome.ts'
import { checkArguments } from '../tools/arguments.ts'
import type { Agent } from './agent.ts'
import { delegate } from './delegate.ts'
import { runHere } from './run-here.ts'

let lastKey = 0

type Done = (outcome: ToolOutcome) => void
type Args = Readonly<Record<string, unknown>>

const nothingToAbort = (): void => {}

/** Starts one call where its tool runs. `done` hears exactly one outcome, unless the returned abort came first. */
export const startCall = (agent: Agent, call: ToolCall, done: Done): (() => void) => {
  if (call.name === 'task') return delegate(agent, call, done)
  const read = readCall(agent, call)
  if ('error' in read) {
    done(refusal(read.error))
    return nothingToAbort
  }
  const { spec, args } = read
  agent.thread.control.usedTool(agent.envelope, agent.toolbox.place(spec.name))
  const tell = masked(agent, done)
  return spec.placement === 'worker'
    ? runHere(agent, spec, args, callerOf(agent), tell)
    : runElsewhere(agent, spec, args, tell)
}

/** A command may have put what it was granted into a file, from where any other tool brings it back. */
const masked = ({ toolbox: { settings } }: Agent, done: Done): Done => {
  const secrets = settings.commands?.secrets ?? []
  if (secrets.length === 0) return done
  return (outcome) => done({ ...outcome, content: mask(outcome.content, secrets) })
}

const readCall = (
  agent: Agent,
  call: ToolCall,
): { readonly spec: ToolSpec; readonly args: Args } | { readonly error: string } => {
  const spec = agent.tools.find(({ name }) => name === call.name)
  if (!spec) {
    if (call.name === 'bash' && agent.toolbox.settings.commands === null) return { error: BASH_TOOL_DISABLED }
    const names = agent.tools.map(({ name }) => name).join(', ')
    return { error: `Tool '${call.name}' is not available. Available: ${names || 'none'}` }
  }
  if (call.invalid !== undefined) {
    return {
      error: `Tool '${call.name}' was not run: its arguments were invalid: ${call.invalid}. Call it again with one JSON object.`,
    }
  }
  // A user's tool checks its own arguments, with the schema it was written with.
  if (spec.module !== null || spec.placement === 'host') return { spec, args: call.args }
  const checked = checkArguments(spec, call.args)
  // A question that can be asked is asked before any call is started.
  if (checked.ok && spec.name === ASK) return { error: BLANK_QUESTION }
  return checked.ok ? { spec, args: checked.args } : { error: checked.message }
}

const callerOf = ({ envelope, toolbox }: Agent): Caller => ({
  thread_id: envelope.threadId,
  run_id: envelope.runId,
  task_id: envelope.taskId,
  agent: envelope.agent,
  workspace: join(toolbox.settings.home, 'threads', envelope.threadId, 'user-data', 'workspace'),
})

/** A call that a tool process or the host thread runs: its limits are kept there, so here it only waits. */
const runElsewhere = (agent: Agent, spec: ToolSpec, args: Args, done: Done): (() => void) => {
  const { thread, envelope } = agent
  const callKey = ++lastKey
  thread.calls.expect(callKey, done)
  thread.post({
    type: 'call',
    call: {
      callKey,
      slot: envelope.slot,
      generation: envelope.generation,
      tool: spec.name,
      args: JSON.stringify(args),
      caller: callerOf(agent),
      settings: envelope.settings,
    },
  })
  return () => {
    thread.calls.forget(callKey)
    thread.post({ type: 'abort_call', callKey })
  }
}
