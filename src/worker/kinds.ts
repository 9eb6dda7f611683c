import type { AgentEnvelope } from '../contract/envelopes.ts'
import type { ToolSpec } from '../contract/tools.ts'
import { taskToolFor } from '../tools/task-tool.ts'

type Traits = Pick<AgentEnvelope, 'system' | 'tools' | 'guards' | 'delegation'>

/** What agents of one kind have alike. */
interface Kind extends Traits {
  readonly specs: readonly ToolSpec[]
}

export interface Member {
  readonly envelope: AgentEnvelope
  /** Its tools, in the order shown to the model. */
  readonly tools: readonly ToolSpec[]
}

/** Kinds kept of one revision of the settings. */
const KINDS_MAX = 64

/**
 * Every agent arrives with copies of its own. One of each is enough for all of a kind: of thousands that live at once,
 * the prompt and the guards alone would take as much as all that is theirs.
 */
export const createKinds = (spec: (name: string) => ToolSpec | undefined): ((envelope: AgentEnvelope) => Member) => {
  const known = new Map<string, Kind>()

  const specsOf = ({ tools, delegation }: Traits): readonly ToolSpec[] =>
    tools.flatMap((name) => (name === 'task' && delegation ? taskToolFor(delegation) : (spec(name) ?? [])))

  const kindOf = ({ system, tools, guards, delegation }: Traits): Kind => {
    const key = JSON.stringify([tools, guards, delegation, system])
    const found = known.get(key)
    if (found) return found
    const traits = { system, tools, guards, delegation }
    const kind = { ...traits, specs: specsOf(traits) }
    if (known.size === KINDS_MAX) known.clear()
    known.set(key, kind)
    return kind
  }

  return (envelope) => {
    const { system, tools, guards, delegation, specs } = kindOf(envelope)
    return { envelope: { ...envelope, system, tools, guards, delegation }, tools: specs }
  }
}
