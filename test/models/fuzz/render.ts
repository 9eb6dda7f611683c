import type { Chance } from '../../support/random.ts'
import type { Meant, MeantCall } from './meant.ts'

/** What a provider does to an answer. Each is one that a real one does, and none hides what was meant. */
export interface Quirks {
  readonly whole: boolean
  readonly numbering: 'index' | 'zero' | 'none'
  /** In deltas after the first of a call. */
  readonly laterIds: 'left out' | 'empty' | 'null' | '"null"' | 'repeated'
  readonly laterNames: 'left out' | 'empty' | 'null' | 'repeated'
  readonly missingIds: boolean
  readonly arguments: 'pieces' | 'object' | 'twice'
  readonly interleaved: boolean
  readonly role: 'first' | 'all' | 'none'
  readonly blocks: boolean
  readonly finish: 'right' | 'lies' | 'missing'
  readonly done: boolean
  readonly usage: 'last' | 'every' | 'choice' | 'none'
  readonly oddChunks: boolean
  readonly comments: boolean
  readonly crlf: boolean
  readonly noSpace: boolean
  readonly fields: boolean
  readonly mark: boolean
  readonly splitData: boolean
}

export const quirksBy = (chance: Chance): Quirks => {
  const numbering = chance.pick(['index', 'index', 'zero', 'none'] as const)
  const whole = chance.often(0.1)
  const finish = chance.pick(['right', 'right', 'lies', 'missing'] as const)
  return {
    whole,
    numbering,
    laterIds: chance.pick(['left out', 'empty', 'null', '"null"', 'repeated']),
    laterNames: chance.pick(['left out', 'empty', 'null', 'repeated']),
    // Without a number, an id is what tells two calls of one name apart.
    missingIds: numbering === 'index' && chance.often(0.3),
    arguments: chance.pick(['pieces', 'pieces', 'pieces', 'object', 'twice']),
    interleaved: numbering === 'index' && chance.often(0.4),
    role: chance.pick(['first', 'all', 'none']),
    blocks: chance.often(0.2),
    finish,
    done: finish === 'missing' || chance.often(0.7),
    usage: chance.pick(['last', 'every', 'choice', 'none']),
    oddChunks: chance.often(0.4),
    comments: chance.often(0.4),
    crlf: chance.often(0.3),
    noSpace: chance.often(0.2),
    fields: chance.often(0.2),
    mark: chance.often(0.1),
    splitData: chance.often(0.2),
  }
}

const USAGE = { prompt_tokens: 12, completion_tokens: 3, total_tokens: 15 }
export const counted = { input_tokens: 12, output_tokens: 3, total_tokens: 15 }

/** The body of the answer as this provider sends it. */
export const render = (meant: Meant, quirks: Quirks, chance: Chance): string =>
  quirks.whole ? renderWhole(meant, quirks) : renderStream(meant, quirks, chance)

const renderWhole = ({ text, calls, reasoning }: Meant, quirks: Quirks): string => {
  const message = {
    ...(quirks.role !== 'none' && { role: 'assistant' }),
    content: contentOf(text, quirks),
    ...(reasoning !== '' && { reasoning_content: reasoning }),
    ...(calls.length > 0 && { tool_calls: calls.map((call, i) => wholeCall(call, i, quirks)) }),
  }
  const choices = [{ index: 0, message, finish_reason: finishOf(calls, quirks) }]
  return JSON.stringify(
    { id: 'x', choices, ...(quirks.usage !== 'none' && { usage: USAGE }) },
    null,
    quirks.crlf ? 2 : 0,
  )
}

const contentOf = (text: string, { blocks }: Quirks): unknown =>
  blocks ? [{ type: 'thinking', thinking: 'no' }, { type: 'text', text }, null] : text === '' ? null : text

const numberOf = (place: number, { numbering }: Quirks): object =>
  numbering === 'none' ? {} : { index: numbering === 'zero' ? 0 : place }

const argsText = ({ args }: MeantCall, quirks: Quirks): unknown => {
  if (quirks.arguments === 'object') return args
  const text = JSON.stringify(args)
  return quirks.arguments === 'twice' ? JSON.stringify(text) : text
}

const wholeCall = (call: MeantCall, place: number, quirks: Quirks): object => ({
  ...numberOf(place, quirks),
  ...(!quirks.missingIds && { id: call.id }),
  type: 'function',
  function: { name: call.name, arguments: argsText(call, quirks) },
})

const finishOf = (calls: readonly MeantCall[], { finish }: Quirks): string | null => {
  if (finish === 'missing') return null
  return calls.length > 0 === (finish === 'right') ? 'tool_calls' : 'stop'
}

const LATER_IDS = { 'left out': undefined, empty: '', null: null, '"null"': 'null' }
const LATER_NAMES = { 'left out': undefined, empty: '', null: null }

const laterDelta = (call: MeantCall, place: number, piece: unknown, quirks: Quirks): object => {
  const { laterIds, laterNames, missingIds } = quirks
  const ownId = missingIds ? undefined : call.id
  const id = laterIds === 'repeated' ? ownId : LATER_IDS[laterIds]
  const name = laterNames === 'repeated' ? call.name : LATER_NAMES[laterNames]
  return { ...numberOf(place, quirks), id, function: { name, arguments: piece } }
}

const callDeltas = (call: MeantCall, place: number, quirks: Quirks, chance: Chance): object[] => {
  const whole = argsText(call, quirks)
  const [first, ...rest] = typeof whole === 'string' ? cut(whole, chance) : [whole]
  const opening = { ...wholeCall(call, place, quirks), function: { name: call.name, arguments: first } }
  return [opening, ...rest.map((piece) => laterDelta(call, place, piece, quirks))]
}

/** Takes turns between the calls at random, each in its own order. */
const shuffle = (lists: readonly object[][], chance: Chance): object[] => {
  const left = lists.map((list) => [...list])
  const mixed: object[] = []
  // Calls open in their order: that is the order they are meant in.
  for (const list of left) mixed.push(...list.splice(0, 1))
  for (
    let open = left.filter((list) => list.length > 0);
    open.length > 0;
    open = left.filter((list) => list.length > 0)
  )
    mixed.push(...chance.pick(open).splice(0, 1))
  return mixed
}

const renderStream = ({ text, calls, reasoning }: Meant, quirks: Quirks, chance: Chance): string => {
  const lists = calls.map((call, i) => callDeltas(call, i, quirks, chance))
  const callList = quirks.interleaved ? shuffle(lists, chance) : lists.flat()
  const deltas: object[] = [
    ...cut(reasoning, chance).map((reasoning_content) => ({ reasoning_content })),
    ...cut(text, chance).map((piece) => ({ content: contentOf(piece, quirks) })),
    ...callList.map((call) => ({ tool_calls: [call] })),
  ]
  const role = (i: number): object =>
    quirks.role === 'all' || (quirks.role === 'first' && i === 0) ? { role: 'assistant' } : {}
  const every = quirks.usage === 'every' ? { usage: USAGE } : {}
  const chunks: unknown[] = [{}, ...deltas].map((delta, i) => ({
    id: 'x',
    choices: [{ index: 0, delta: { ...role(i), ...delta }, finish_reason: null }],
    ...every,
  }))
  const usage = quirks.usage === 'choice' ? { usage: USAGE } : {}
  chunks.push({
    id: 'x',
    choices: [{ index: 0, delta: {}, finish_reason: finishOf(calls, quirks), ...usage }],
    ...every,
  })
  if (quirks.usage === 'last') chunks.push({ id: 'x', choices: [], usage: USAGE })
  const events = chunks.map((chunk) => eventOf(chunk, quirks, chance))
  if (quirks.done) events.push(`data: [DONE]\n\n`)
  return dress(quirks.oddChunks ? withOddChunks(events, chance) : events, quirks, chance)
}

const ODD = [
  'data: null\n\n',
  'data: {"choices":[]}\n\n',
  'data: {"id":"x"}\n\n',
  'data: {"choices":[{"delta":null}]}\n\n',
  'data:\n\n',
]

const withOddChunks = (events: readonly string[], chance: Chance): readonly string[] =>
  events.flatMap((event) => (chance.often(0.3) ? [chance.pick(ODD), event] : [event]))

const eventOf = (chunk: unknown, { splitData }: Quirks, chance: Chance): string => {
  const json = JSON.stringify(chunk)
  // A newline may stand where JSON allows blanks: right behind the first bracket of the choices, say.
  const at = json.indexOf('"choices":[') + '"choices":['.length
  const lines = splitData && chance.often(0.5) ? [json.slice(0, at), json.slice(at)] : [json]
  return `${lines.map((line) => `data: ${line}\n`).join('')}\n`
}

const dress = (events: readonly string[], quirks: Quirks, chance: Chance): string => {
  let body = events
    .map((event) => {
      const comment = quirks.comments && chance.often(0.3) ? ': keep-alive\n\n' : ''
      const fields = quirks.fields && chance.often(0.5) ? 'event: message\nid: 7\nretry: 10\n' : ''
      return comment + fields + event
    })
    .join('')
  if (quirks.noSpace) body = body.replaceAll(/(?<=^|\n)data: /g, 'data:')
  if (quirks.crlf) body = body.replaceAll('\n', '\r\n')
  return (quirks.mark ? '\uFEFF' : '') + body
}

/** In pieces of any length, now and then through the middle of a character of two units. */
const cut = (text: string, chance: Chance): string[] => {
  const pieces: string[] = []
  for (let at = 0; at < text.length; ) {
    const size = 1 + chance.below(chance.often(0.5) ? 3 : 40)
    pieces.push(text.slice(at, at + size))
    at += size
  }
  return pieces
}
