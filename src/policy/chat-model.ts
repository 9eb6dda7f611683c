/** What Troupe needs of a LangChain chat model; recognised by shape, never by class. */
export interface ChatModel {
  stream(messages: readonly object[], options: object): Promise<AsyncIterable<unknown>>
  bindTools?(tools: readonly object[]): ChatModel
}

type Fields = object

/** What a module may export for a model: one that is there already, its class, or a function that makes one. */
export type ModelExport =
  | { readonly kind: 'model'; readonly model: ChatModel }
  | { readonly kind: 'class'; readonly Model: new (fields: Fields) => ChatModel }
  | { readonly kind: 'maker'; readonly make: (fields: Fields) => unknown }

export const isChatModel = (value: unknown): value is ChatModel =>
  typeof value === 'object' && value !== null && 'stream' in value && typeof value.stream === 'function'

const isClass = (value: object): boolean => /^class\b/.test(Function.prototype.toString.call(value))

/** Reads an export; `null` where no chat model can come of it, as of a class of something else. */
export const modelExportOf = (exported: unknown): ModelExport | null => {
  if (isChatModel(exported)) return { kind: 'model', model: exported }
  if (typeof exported !== 'function') return null
  if (isChatModel(exported.prototype)) return { kind: 'class', Model: exported as new (fields: Fields) => ChatModel }
  return isClass(exported) ? null : { kind: 'maker', make: exported as (fields: Fields) => unknown }
}

/** Of an export that is there. Told without a subject. */
export const noChatModel = (name: string): string =>
  `the export '${name}' is no LangChain chat model: it must be its class, a function that makes one, or one that is made`
