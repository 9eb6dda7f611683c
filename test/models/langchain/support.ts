import { resolveUse } from '../../../src/config/resolve-use.ts'
import type { ModelSettings } from '../../../src/contract/settings.ts'
import type { ToolModule } from '../../../src/contract/tools.ts'
import { createChatCompletions } from '../../../src/models/chat-completions.ts'
import { systemClock } from '../../../src/models/clock.ts'
import { createLangChain } from '../../../src/models/langchain/client.ts'
import type { StreamModel } from '../../../src/models/port.ts'
import {
  type ScriptedModel,
  type ScriptedModelOptions,
  startScriptedModel,
} from '../../../src/testing/scripted-model.ts'
import { settings } from '../ask.ts'

const CHAT_OPENAI: ToolModule = await resolveUse('@langchain/openai#ChatOpenAI', process.cwd())

export interface Client {
  readonly name: string
  readonly stream: StreamModel
  settings(url: string, changes?: Partial<ModelSettings>): ModelSettings
  close(): void
}

export const ownClient = (): Client => {
  const { stream, close } = createChatCompletions()
  return { name: "Troupe's own client", stream, settings, close }
}

export const langChainClient = (use: ToolModule = CHAT_OPENAI): Client => ({
  name: '@langchain/openai#ChatOpenAI',
  stream: createLangChain(systemClock),
  settings: (url, changes) => settings(url, { use, ...changes }),
  close: () => {},
})

/** Runs `work` against a scripted server with a client of its own, and ends both. */
export const withClient = async (
  make: () => Client,
  reply: ScriptedModelOptions['reply'],
  work: (client: Client, server: ScriptedModel) => Promise<void>,
): Promise<void> => {
  const server = await startScriptedModel({ reply })
  const client = make()
  try {
    await work(client, server)
  } finally {
    client.close()
    await server.close()
  }
}
