import { messageOf } from '../../contract/errors.ts'
import type { ModelSettings } from '../../contract/settings.ts'
import type { ToolModule } from '../../contract/tools.ts'
import { type ChatModel, isChatModel, modelExportOf, noChatModel } from '../../policy/chat-model.ts'
import { loadExport } from '../../tools/load-export.ts'
import { lasting } from '../failure.ts'
import { faultError } from './thrown.ts'
import { NO_KEY, tidyFetch } from './tidy-fetch.ts'

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
  const model = await made(settings.use ?? { url: '', export: '' }, fieldsOf(settings))
  withoutRetries(model)
  return model
}

const made = async (use: ToolModule, fields: object): Promise<ChatModel> => {
  const exported = await loadExport(use).catch((thrown) => unusable(messageOf(thrown)))
  const found = modelExportOf(exported) ?? unusable(noChatModel(use.export))
  if (found.kind === 'model') return found.model
  const model = found.kind === 'class' ? new found.Model(fields) : await found.make(fields)
  return isChatModel(model) ? model : unusable(noChatModel(use.export))
}

/** Nothing has been sent, and nothing ever will be: no matter of the endpoint's. */
const unusable = (why: string): never => {
  throw faultError(lasting(`its use cannot be loaded: ${why}`))
}

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
