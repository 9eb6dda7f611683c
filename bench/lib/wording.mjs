/** What leads and subagents are told where no built Troupe is there to be copied from. */
export const plainWording = (tool) => ({
  lead: {
    system: 'You lead. Delegate parts of the work, then report.',
    tools: [offer('task', ['description', 'prompt', 'subagent_type'])],
  },
  sub: { system: 'You look things up and report what you found.', tools: [offer(tool, ['query'])] },
})

function offer(name, keys) {
  const properties = Object.fromEntries(keys.map((key) => [key, { type: 'string' }]))
  return {
    type: 'function',
    function: { name, description: `The tool ${name}.`, parameters: { type: 'object', properties, required: keys } },
  }
}

/** The wording per tool, read off Troupe's own requests by `capture` the first time it is asked for. */
export function wordings(capture) {
  const known = new Map()
  return async (tool) => {
    if (!known.has(tool)) {
      known.set(tool, plainWording(tool))
      const { lead, sub } = await capture(tool)
      if (lead && sub) known.set(tool, { lead, sub })
    }
    return known.get(tool)
  }
}
