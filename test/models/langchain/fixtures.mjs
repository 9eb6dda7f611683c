import { ChatOpenAI } from '@langchain/openai'

/** A model of another provider, known by its shape alone: it answers what its script says. */
class Scripted {
  /** @param {{ model: string }} fields */
  constructor(fields) {
    this.fields = fields
    this.caller = { maxRetries: 6 }
    this.seen = []
  }

  /** @param {readonly object[]} tools */
  bindTools(tools) {
    const bound = new Scripted(this.fields)
    bound.tools = tools
    return bound
  }

  /** @param {readonly object[]} messages */
  async stream(messages, options) {
    const script = scripts[this.fields.model]
    return script({ messages, options, tools: this.tools ?? [], fields: this.fields, caller: this.caller })
  }
}

/** What a test wants to be answered, by the name of the model. */
export const scripts = {}

export { Scripted }
export const ready = new Scripted({ model: 'ready' })
export const make = async (fields) => new Scripted({ ...fields, model: 'made' })
export const withoutTools = { stream: async () => [] }
export const nothing = 7
export const makesNothing = () => 7
export class Other {}

/** As users write it, with what makes `invoke` fetch a tokenizer. */
export const streaming = (fields) => new ChatOpenAI({ ...fields, streaming: true, streamUsage: false, maxRetries: 4 })
