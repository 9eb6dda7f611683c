import { isRecord } from '../../contract/is-record.ts'
import { addUsage, NO_USAGE, type Usage } from '../../contract/messages.ts'
import type { ToolSpec } from '../../contract/tools.ts'
import type { ChatModel } from '../../policy/chat-model.ts'
import { createAssembly } from '../assemble-reply.ts'
import type { Clock } from '../clock.ts'
import { EMPTY_ANSWER, type Fault, modelFailed, modelUnset } from '../failure.ts'
import { noteLife, startWatch, stopWatch } from '../patience.ts'
import type { ModelReply, ModelRequest, ModelSink, StreamModel } from '../port.ts'
import { refuse } from '../refuse.ts'
import { loadChatModel } from './load.ts'
import { thrownFault } from './thrown.ts'
import { toChunk, usageOf } from './to-chunk.ts'
import { toMessages, toTools } from './to-messages.ts'

/** Any LangChain chat model behind the port: it only streams, with an abort of its own for each call. */
export const createLangChain =
  (clock: Clock): StreamModel =>
  (request, sink) => {
    const unset = modelUnset(request.model)
    return unset === null ? call(request, sink, clock) : refuse(unset, sink)
  }

const call = (request: ModelRequest, sink: ModelSink, clock: Clock): (() => void) => {
  const { model } = request
  const controller = new AbortController()
  let open = true

  const close = (): boolean => {
    const wasOpen = open
    open = false
    stopWatch(watch)
    return wasOpen
  }
  const fail = (fault: Fault): void => {
    if (!close()) return
    controller.abort()
    sink.failed(modelFailed(model, fault))
  }

  const watch = startWatch(model, clock, () => false, fail)
  const text = (delta: string): void => {
    if (open) sink.text(delta)
  }
  const life = (): boolean => {
    noteLife(watch)
    return open
  }
  read(request, controller.signal, text, life).then(
    (reply) => {
      if (reply === null) fail(EMPTY_ANSWER)
      else if (close()) sink.done(reply)
    },
    (thrown: unknown) => fail(thrownFault(thrown, addressOf(model.baseUrl))),
  )
  return () => {
    if (close()) controller.abort()
  }
}

/** One answer, or `null` if nothing came. `life` is told of each chunk, and says whether anybody still listens. */
const read = async (
  request: ModelRequest,
  signal: AbortSignal,
  text: (delta: string) => void,
  life: () => boolean,
): Promise<ModelReply | null> => {
  const { model, tools, toolChoice, traceparent } = request
  const chat = withTools(await loadChatModel(model), tools)
  const assembly = createAssembly(text)
  let usage: Usage | null = null
  const choice = toolChoice === undefined || tools.length === 0 ? {} : { tool_choice: toolChoice }
  const options = { signal, maxRetries: 0, headers: { traceparent }, ...choice }
  for await (const chunk of await chat.stream(toMessages(request), options)) {
    if (!life()) break
    if (!isRecord(chunk)) continue
    assembly.add(toChunk(chunk))
    const counted = usageOf(chunk)
    if (counted !== null) usage = addUsage(usage ?? NO_USAGE, counted)
  }
  return assembly.begun() ? { ...assembly.reply(), usage } : null
}

interface Binding {
  readonly tools: readonly ToolSpec[]
  readonly model: ChatModel
}

/** Models with tools bound to them. Binding makes a new model each time, and agents of one kind share their tools. */
const bindings = new WeakMap<ChatModel, Binding[]>()
const BINDINGS_MAX = 32

const withTools = (model: ChatModel, tools: readonly ToolSpec[]): ChatModel => {
  if (tools.length === 0) return model
  if (!model.bindTools) throw new Error('the chat model takes no tools: it has no bindTools')
  const known = bindings.get(model) ?? []
  const found = known.find((binding) => isSame(binding.tools, tools))
  if (found) return found.model
  const bound = model.bindTools(toTools(tools))
  bindings.set(model, [{ tools, model: bound }, ...known.slice(0, BINDINGS_MAX - 1)])
  return bound
}

const isSame = (a: readonly ToolSpec[], b: readonly ToolSpec[]): boolean =>
  a === b || (a.length === b.length && a.every((tool, i) => tool === b[i]))

const addressOf = (baseUrl: string): string => (URL.canParse(baseUrl) ? new URL(baseUrl).host : 'the provider')
