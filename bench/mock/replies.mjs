// The answers of the mock model, rendered once per scenario: a lead that delegates, a subagent that looks things up.
const USAGE = { prompt_tokens: 400, completion_tokens: 40, total_tokens: 440 }
const SENTENCE = 'The causes and effects named in the material agree with one another, as far as it goes. '

const call = (id, name, args) => ({ id, type: 'function', function: { name, arguments: JSON.stringify(args) } })
const say = (content) => ({ role: 'assistant', content })
const act = (toolCalls) => ({ role: 'assistant', content: null, tool_calls: toolCalls })

/** `marker` stands in every prompt, so that each request tells which run it belongs to. */
const delegate = (tasks, marker) =>
  act(
    Array.from({ length: tasks }, (_, i) =>
      call(`call_task_${i}`, 'task', {
        description: `Look at part ${i}`,
        prompt: `Look at part ${i} of the material and say what it holds. ${marker}`,
        subagent_type: 'general-purpose',
      }),
    ),
  )
const step = (tool, turn) => act([call(`call_step_${turn}`, tool, { query: `section ${turn} of the part` })])

const SPLIT = '@@marker@@'
const pieces = (text) => text.match(/(?:@@marker@@|.){1,24}/gs) ?? []

function chunks(model, message, withUsage) {
  const envelope = { id: 'chatcmpl-bench', object: 'chat.completion.chunk', created: 1700000000, model }
  const chunk = (delta, finish = null) => ({ ...envelope, choices: [{ index: 0, delta, finish_reason: finish }] })
  const list = [chunk({ role: 'assistant', content: '' })]
  for (const piece of message.content ? pieces(message.content) : []) list.push(chunk({ content: piece }))
  message.tool_calls?.forEach(({ id, type, function: { name, arguments: args } }, index) => {
    list.push(chunk({ tool_calls: [{ index, id, type, function: { name, arguments: '' } }] }))
    for (const piece of pieces(args)) list.push(chunk({ tool_calls: [{ index, function: { arguments: piece } }] }))
  })
  list.push(chunk({}, message.tool_calls ? 'tool_calls' : 'stop'))
  if (withUsage) list.push({ ...envelope, choices: [], usage: USAGE })
  return list
}

const stream = (model, message, withUsage) =>
  [...chunks(model, message, withUsage).map((c) => JSON.stringify(c)), '[DONE]']
    .map((data) => `data: ${data}\n\n`)
    .join('')

const whole = (model, message) =>
  JSON.stringify({
    id: 'chatcmpl-bench',
    object: 'chat.completion',
    created: 1700000000,
    model,
    choices: [{ index: 0, message, finish_reason: message.tool_calls ? 'tool_calls' : 'stop' }],
    usage: USAGE,
  })

function render(scenario, show) {
  const parts = show('lead', delegate(scenario.tasks, SPLIT)).split(SPLIT)
  const steps = Array.from({ length: scenario.turns }, (_, turn) => Buffer.from(show('sub', step(scenario.tool, turn))))
  return {
    delegate: (marker) => parts.join(marker),
    report: Buffer.from(show('lead', say(SENTENCE.repeat(5)))),
    step: (turn) => steps[turn],
    end: Buffer.from(show('sub', say(SENTENCE.repeat(3)))),
  }
}

/** Answers by form: streamed with usage, streamed without, whole. */
export const renderReplies = (scenario) => ({
  usage: render(scenario, (model, message) => stream(model, message, true)),
  plain: render(scenario, (model, message) => stream(model, message, false)),
  whole: render(scenario, whole),
})
