import { type ScriptedBody, type ScriptedModel, startScriptedModel } from '../testing/scripted-model.ts'
import type { ScriptedReply } from '../testing/scripted-reply.ts'
import type { Reply } from './plan.ts'
import { nextReply } from './script.ts'

/** Characters of text in one chunk of the stream. */
const CHUNK = 14
const CHUNK_MS = 16
/** How long the model seems to think: at least this, and up to twice as long for a long transcript. */
const THINK_MS = 300

const CHARACTERS_A_TOKEN = 4

const tokensOf = (value: unknown): number => Math.ceil(JSON.stringify(value ?? '').length / CHARACTERS_A_TOKEN)

/** A reply as it goes out: in small chunks and with short waits, so that there is something to watch. */
const paced = (body: ScriptedBody | null, { text, calls }: Reply, pace: number): ScriptedReply => {
  const input = tokensOf(body?.messages)
  return {
    text,
    toolCalls: calls,
    usage: { input, output: tokensOf(text) + tokensOf(calls) },
    chunks: Math.max(1, Math.ceil(text.length / CHUNK)),
    ...(pace > 0 && { delayMs: pace * (THINK_MS + Math.min(THINK_MS, input / 10)), chunkMs: pace * CHUNK_MS }),
  }
}

/** Serves the scripted demo model as chat completions on 127.0.0.1; `pace` 0 answers without waits. */
export const serveDemo = ({ pace = 1 }: { readonly pace?: number } = {}): Promise<ScriptedModel> =>
  startScriptedModel({ reply: ({ body }) => paced(body, nextReply(body), pace) })
