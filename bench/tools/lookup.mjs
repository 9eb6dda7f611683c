// The work of the tools as LangChain tools, for Troupe.
import { tool } from '@langchain/core/tools'
import { works } from './work.mjs'

const schema = {
  type: 'object',
  properties: { query: { type: 'string', description: 'What to look up' } },
  required: ['query'],
  additionalProperties: false,
}

const toTool = (name, description) => tool(({ query }) => works[name](query), { name, description, schema })

export const lookup = toTool('lookup', 'Looks one thing up in the material and returns what stands there.')
export const burn = toTool('burn', 'Looks one thing up and computes for 20 ms while at it.')
export const spin = toTool('spin', 'Looks one thing up and never comes back.')
