import type { ModelSettings } from '../../contract/settings.ts'
import { NO_KEY, tidyFetch } from './tidy-fetch.ts'

/** What Troupe needs of a LangChain chat model; recognised by shape, never by class. */
export interface ChatModel {
  stream(messages: readonly object[], options: object): Promise<AsyncIterable<unknown>>
  bindTools?(tools: readonly object[]): ChatModel
}

type Exported = (fields: object) => unknown
type ChatModelClass = new (fields: object) => ChatModel

const models = new WeakMap<ModelSettings, Promise<ChatModel>>()

/** The chat model of a config's entry, made once per thread. Its package is loaded when it is first needed. */
export const loadChatModel = (settings: ModelSettings): Promise<ChatModel> => {
  const known = models.get(settings)
  if (known !== undefined) return known
  const model = load(settings)
  models.set(settings, model)
  return model
}

const load = async (settings: ModelSettings): Promise<ChatModel> => {
  const { url, export: name } = settings.use ?? { url: '', export: '' }
  const exported: unknown = (await import(url))[name]
  if (exported === undefined) throw new Error(`${url} has no export "${name}"`)
  const model = await made(exported, fieldsOf(settings))
  if (!isChatModel(model)) throw new Error(`"${name}" of ${url} is no LangChain chat model`)
  withoutRetries(model)
  return model
}

/** A class, a model that is there already, or a function that makes one. */
const made = (exported: unknown, fields: object): unknown => {
  if (isChatModelClass(exported)) return new exported(fields)
  return typeof exported === 'function' ? (exported as Exported)(fields) : exported
}

const isChatModel = (value: unknown): value is ChatModel =>
  typeof value === 'object' && value !== null && 'stream' in value && typeof value.stream === 'function'

const isChatModelClass = (value: unknown): value is ChatModelClass =>
  typeof value === 'function' && isChatModel(value.prototype)

/** The longest time a Node timer can hold. */
const TIMER_MAX = 2 ** 31 - 1

/** The base URL under each name that chat models know it by; a class takes what it knows and leaves the rest. */
const fieldsOf = ({ model, apiKey, baseUrl, timeoutMs }: ModelSettings): object => ({
  model,
  // Never `streaming`: with it, `invoke` counts tokens with a tokenizer that it fetches from the network.
  streamUsage: true,
  maxRetries: 0,
  timeout: Math.min(timeoutMs, TIMER_MAX),
  ...(apiKey !== null && { apiKey: apiKey.trim() }),
  ...(baseUrl !== '' && { baseUrl, baseURL: baseUrl, anthropicApiUrl: baseUrl }),
  configuration: {
    fetch: tidyFetch,
    ...(baseUrl !== '' && { baseURL: baseUrl }),
    ...(apiKey === null && { apiKey: NO_KEY }),
  },
})

/** A model that the user made may retry by itself. There is one layer that does. */
const withoutRetries = (model: ChatModel): void => {
  const { caller } = model as { readonly caller?: { maxRetries?: unknown } }
  if (typeof caller === 'object' && 'maxRetries' in caller) caller.maxRetries = 0
}
