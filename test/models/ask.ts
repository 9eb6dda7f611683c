import type { ModelSettings } from '../../src/contract/settings.ts'
import { createChatCompletions } from '../../src/models/chat-completions.ts'
import type { ModelFailure, ModelReply, ModelRequest, StreamModel } from '../../src/models/port.ts'
import { type ScriptedModel, type ScriptedModelOptions, startScriptedModel } from '../../src/testing/scripted-model.ts'

export const settings = (baseUrl: string, changes: Partial<ModelSettings> = {}): ModelSettings => ({
  name: 'main',
  model: 'test-model',
  use: null,
  baseUrl,
  apiKey: 'sk-secret-key',
  unset: null,
  maxRetries: 0,
  connectTimeoutMs: 5000,
  firstByteTimeoutMs: 5000,
  streamIdleTimeoutMs: 5000,
  timeoutMs: 60_000,
  reasoningReplay: 'auto',
  fallbacks: [],
  ...changes,
})

export const requestTo = (model: ModelSettings, changes: Partial<ModelRequest> = {}): ModelRequest => ({
  model,
  system: 'Be brief.',
  messages: [{ role: 'user', content: 'Hi' }],
  note: null,
  tools: [],
  traceparent: '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
  ...changes,
})

export interface Heard {
  readonly texts: readonly string[]
  readonly reply: ModelReply | null
  readonly error: ModelFailure | null
}

/** Makes one call and waits for its outcome. */
export const ask = (stream: StreamModel, request: ModelRequest): Promise<Heard> =>
  new Promise((heard) => {
    const texts: string[] = []
    stream(request, {
      text: (delta) => texts.push(delta),
      done: (reply) => heard({ texts, reply, error: null }),
      failed: (error) => heard({ texts, reply: null, error }),
    })
  })

/** Runs `work` against a scripted server with a client of its own, and ends both. */
export const withModel = async (
  reply: ScriptedModelOptions['reply'],
  work: (stream: StreamModel, server: ScriptedModel) => Promise<void>,
): Promise<void> => {
  const server = await startScriptedModel({ reply })
  const client = createChatCompletions()
  try {
    await work(client.stream, server)
  } finally {
    client.close()
    await server.close()
  }
}

/** Waits until something holds, for at most two seconds. */
export const until = async (holds: () => boolean): Promise<void> => {
  for (const end = Date.now() + 2000; !holds() && Date.now() < end; ) await new Promise((next) => setTimeout(next, 2))
  if (!holds()) throw new Error(`never came true: ${holds}`)
}

export const replyOf = (fields: Partial<ModelReply> = {}): ModelReply => ({
  id: 'r',
  text: '',
  toolCalls: [],
  finishReason: 'stop',
  refusal: '',
  reasoning: null,
  usage: null,
  incomplete: null,
  ...fields,
})
