import { type Command, given, VERBOSE_FLAG } from './command.ts'
import { conduct, type Job } from './conduct.ts'
import { DEMO_MODEL, startDemoModel } from './demo-model.ts'
import { PROJECT_PATH } from './mount.ts'
import { temporaryHome } from './temporary-home.ts'
import { foldText, roomIn } from './view/fold.ts'
import type { World } from './world.ts'

const SURVEY = `Survey the folder ${PROJECT_PATH}: what it holds and in which languages, what its documentation says, what it depends on and what is marked as left to do. Delegate the parts to subagents that work in parallel, then put their findings together.`

type Shown = Pick<Job, 'json' | 'verbose'>

const withRealModel = (question: string, shown: Shown, world: World): Promise<number> => {
  const prompt =
    question === ''
      ? SURVEY
      : `${question}\n\nThe folder in question is ${PROJECT_PATH}. Delegate independent parts to subagents that work in parallel.`
  // An object and not the config file: the demo behaves alike wherever it is run.
  return conduct({ runtime: { config: {} }, run: {}, prompt, ...shown }, world)
}

const withScript = async (question: string, shown: Shown, world: World): Promise<number> => {
  const notice = `This run uses the ${DEMO_MODEL}. With OPENAI_API_KEY set, npm start -- "your question" asks a real one.`
  world.stderr.write(`${foldText(notice, roomIn(world.stderr)).join('\n')}\n`)
  const model = await startDemoModel()
  // What the demo writes is of no use later, and the folder may be read-only.
  const home = await temporaryHome()
  try {
    const models = [
      { name: 'scripted-demo', model: 'scripted-demo-model', base_url: model.baseUrl, api_key: 'none-needed' },
    ]
    const prompt = question === '' ? SURVEY : question
    const runtime = { config: { models }, home: home.path }
    return await conduct({ runtime, run: {}, prompt, ...shown, throwaway: true }, world)
  } finally {
    model.stop()
    home.remove()
  }
}

export const demoCommand: Command = {
  name: 'demo',
  about: 'Survey the folder you are in with three subagents. Needs no key: a scripted model leads.',
  takes: '[QUESTION]',
  flags: { json: { type: 'boolean', about: 'One event a line on stdout, as JSON' }, verbose: VERBOSE_FLAG },
  notes: [
    `Without OPENAI_API_KEY it uses the ${DEMO_MODEL}: a process on 127.0.0.1 that follows a script, while everything else is real.`,
    'With OPENAI_API_KEY (and, if you like, OPENAI_BASE_URL and OPENAI_MODEL) that model gets your question.',
  ],
  examples: [
    ['troupe demo', 'offline'],
    ['OPENAI_API_KEY=... troupe demo "What would a newcomer stumble over here?"', 'the same with a real model'],
  ],
  run: (parsed, world) => {
    const question = parsed.words.join(' ').trim()
    const shown = { json: given(parsed, 'json'), verbose: given(parsed, 'verbose') }
    return (world.env['OPENAI_API_KEY'] ? withRealModel : withScript)(question, shown, world)
  },
}
