import type { ScriptedBody } from '../testing/scripted-model.ts'
import { DEMO_MODEL, lead, ROUNDS_MAX } from './lead.ts'
import { type Reply, replay } from './plan.ts'
import { TOPICS } from './topics.ts'
import { readTranscript } from './transcript.ts'

/** What the scripted demo model answers to a request: it follows from the request alone. */
export const nextReply = (body: ScriptedBody | null): Reply => {
  const { task, tools, rounds } = readTranscript(body)
  const topic = TOPICS.find(({ prompt }) => task.includes(prompt))
  // The runtime takes `task` away when the run's total is used up; then the lead answers with what came back.
  if (!topic) return replay('lead', lead(task, tools.has('task') ? ROUNDS_MAX : rounds.length), rounds)
  if (tools.size > 0) return replay(topic.name, topic.plan(), rounds)
  // Without any tool the runtime wants an answer at once, as at the end of a budget.
  return { text: `I am the ${DEMO_MODEL}. I was asked to answer before the script had come to its end.`, calls: [] }
}
