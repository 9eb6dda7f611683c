import type { Plan } from './plan.ts'
import { surveyDocumentation } from './survey/documentation.ts'
import { surveyLayout } from './survey/layout.ts'
import { surveyOpenEnds } from './survey/open-ends.ts'
import { ROOT } from './tools.ts'

/** One part of the survey, given to one subagent. */
export interface Topic {
  readonly name: string
  readonly description: string
  readonly prompt: string
  readonly plan: () => Plan
}

const form =
  'Answer in Markdown: one sentence that sums it up, then at most eight bullet points. State only what your tool calls showed, and say what you did not find.'

export const TOPICS: readonly Topic[] = [
  {
    name: 'layout',
    description: 'Layout and languages',
    prompt: `Find out what the folder ${ROOT} holds: its files by folder, by type and by programming language, and what its largest folder is about. Do not change anything. ${form}`,
    plan: surveyLayout,
  },
  {
    name: 'documentation',
    description: 'Documentation',
    prompt: `Find out what the documentation in ${ROOT} tells a newcomer: the README and its sections, the licence, further pages. Do not change anything. ${form}`,
    plan: surveyDocumentation,
  },
  {
    name: 'openends',
    description: 'Dependencies and open ends',
    prompt: `Find out what the project in ${ROOT} depends on, how it is built and run, and which lines are marked as left to do. Do not change anything. ${form}`,
    plan: surveyOpenEnds,
  },
]
