// The work of the tools, and the same as LangChain tools for Troupe.
import { tool } from '@langchain/core/tools'
import * as work from './work.mjs'

const parameters = {
  type: 'object',
  properties: { query: { type: 'string', description: 'What to look up' } },
  required: ['query'],
  additionalProperties: false,
}

export const lookup = tool(({ query }) => work.lookup(query), {
  name: 'lookup',
  description: 'Looks one thing up in the material and returns what stands there.',
  schema: parameters,
})

export const burn = tool(({ query }) => work.burn(query), {
  name: 'burn',
  description: 'Looks one thing up and computes for 20 ms while at it.',
  schema: parameters,
})

export const spin = tool(({ query }) => work.spin(query), {
  name: 'spin',
  description: 'Looks one thing up and never comes back.',
  schema: parameters,
})
