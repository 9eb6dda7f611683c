import { type Call, NOT_RUN, type Plan, type ToolResult, turn } from './plan.ts'
import { reason, shorten } from './prose.ts'
import { ROOT } from './tools.ts'
import { TOPICS, type Topic } from './topics.ts'

/** What the model calls itself wherever it is named. */
export const DEMO_MODEL = 'scripted demo model, not a language model'

/** Rounds of delegation after which the lead makes do with what it has. */
export const ROUNDS_MAX = 4

const taskFor = ({ description, prompt }: Topic): Call => ({
  name: 'task',
  args: { description, prompt, subagent_type: 'general-purpose' },
})

const intro = (question: string): string => {
  // The command line's own wording of the survey begins so.
  const asked = question === '' || question.startsWith(`Survey the folder ${ROOT}`)
  const about = asked
    ? ''
    : ` A script cannot answer “${shorten(question.replace(/\s+/g, ' '), 120)}”, so you get the survey it knows.`
  return `I am the ${DEMO_MODEL}.${about} I split the survey of this folder into ${TOPICS.length} parts and give each to a subagent.`
}

const SUCCEEDED = /^Task Succeeded(?: \([^)]*\))?\. Result: /

const finding = (topic: Topic, result: ToolResult): string => {
  const heading = `## ${topic.description}\n`
  if (SUCCEEDED.test(result.content)) return heading + result.content.replace(SUCCEEDED, '').trim()
  if (result === NOT_RUN) return `${heading}Not surveyed: the runtime did not run this task.`
  return `${heading}Not finished: ${reason(result.content)}`
}

const sentence = (result: ToolResult): string[] =>
  SUCCEEDED.test(result.content) ? [result.content.replace(SUCCEEDED, '').split('\n', 1)[0]?.trim() ?? ''] : []

const compose = (question: string, results: ReadonlyMap<Topic, ToolResult>): string => {
  const found = TOPICS.map((topic) => [topic, results.get(topic) ?? NOT_RUN] as const)
  const inShort = found.flatMap(([, result]) => sentence(result)).join(' ')
  return [
    '# Survey of this folder',
    inShort ? `**In short:** ${inShort}` : 'None of the subagents came back with findings.',
    ...found.map(([topic, result]) => finding(topic, result)),
    `---\nWritten by the ${DEMO_MODEL}: a fixed script asks the questions, and each fact above comes from a tool call that a subagent made in this folder.${
      question.startsWith('Survey the folder')
        ? ''
        : ' Your question was not answered; a real model could: set OPENAI_API_KEY.'
    }`,
  ].join('\n\n')
}

/** The lead of the demo: hands out the parts of the survey at once, in at most so many rounds, and puts the findings together. */
export function* lead(question: string, rounds: number): Plan {
  const results = new Map<Topic, ToolResult>()
  let open: readonly Topic[] = TOPICS
  for (let round = 0; open.length > 0 && round < rounds; round++) {
    const say = round === 0 ? intro(question) : 'Some parts did not run at once. I hand them out again.'
    const answers = yield turn(say, ...open.map(taskFor))
    for (const [i, topic] of open.entries()) results.set(topic, answers[i] ?? NOT_RUN)
    open = open.filter((topic) => results.get(topic) === NOT_RUN)
  }
  return compose(question, results)
}
