// What the contestants on LangChain share: the model, the tools and the reading of a lead's text.
import { tool } from '@langchain/core/tools'
import { ChatOpenAI } from '@langchain/openai'
import { works } from '../tools/work.mjs'

/** Never `streaming: true`: with it `invoke` fetches a tokenizer from the network. What reads as a stream still streams. */
export const chatModel = (url, model, streaming) =>
  new ChatOpenAI({
    model,
    apiKey: 'none',
    configuration: { baseURL: url },
    maxRetries: 0,
    useResponsesApi: false,
    disableStreaming: !streaming,
  })

export const toTool = ({ function: { name, description, parameters } }, execute) =>
  tool(execute ?? (({ query }) => works[name](query)), { name, description, schema: parameters })

/** The text of the lead's own answers, as it streams; an agent's nested calls do not show here. */
export async function readText(stream) {
  let text = ''
  for await (const [piece, { langgraph_node: node }] of stream)
    if (node === 'model_request' && typeof piece.content === 'string') text += piece.content
  return text
}

export const asUser = (content) => ({ messages: [{ role: 'user', content }] })
