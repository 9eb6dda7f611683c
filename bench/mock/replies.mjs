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
        // The same twice: some take the one for what the subagent is told, some the other.
        description: `Look at part ${i} of the material and say what it holds. ${marker}`,
        prompt: `Look at part ${i} of the material and say what it holds. ${marker}`,
        subagent_type: 'general-purpose',
      }),
    ),
  )
const step = (tool, turn) => act([call(`call_step_${turn}`, tool, { query: `section ${turn} of the part` })])

const SPLIT = '@@marker@@'
const pieces = (text) => text.match(/(?:@@marker@@|.){1,24}/gs) ?? []

function chunks({ id, model, message }, withUsage) {
  const envelope = { id, object: 'chat.completion.chunk', created: 1700000000, model }
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

const stream = (answer, withUsage) =>
  [...chunks(answer, withUsage).map((c) => JSON.stringify(c)), '[DONE]'].map((data) => `data: ${data}\n\n`).join('')

const whole = ({ id, model, message }) =>
  JSON.stringify({
    id,
    object: 'chat.completion',
    created: 1700000000,
    model,
    choices: [{ index: 0, message, finish_reason: message.tool_calls ? 'tool_calls' : 'stop' }],
    usage: USAGE,
  })

/** Ids differ within a conversation: some keep messages by the id of the answer. */
function render({ tasks, turns, tool }, show) {
  const answer = (model, turn, message) => show({ id: `chatcmpl-${model}-${turn}`, model, message })
  const parts = answer('lead', 0, delegate(tasks, SPLIT)).split(SPLIT)
  const steps = Array.from({ length: turns }, (_, turn) => Buffer.from(answer('sub', turn, step(tool, turn))))
  return {
    delegate: (marker) => parts.join(marker),
    report: Buffer.from(answer('lead', 1, say(SENTENCE.repeat(5)))),
    step: (turn) => steps[turn],
    end: Buffer.from(answer('sub', turns, say(SENTENCE.repeat(3)))),
  }
}

/** Answers by form: streamed with usage, streamed without, whole. */
export const renderReplies = (scenario) => ({
  usage: render(scenario, (answer) => stream(answer, true)),
  plain: render(scenario, (answer) => stream(answer, false)),
  whole: render(scenario, whole),
})
