/** Ways in which models write a tool call as text instead of making it. Bounded: a model may write anything. */
const OPENERS = [
  String.raw`<\|?(?:\w{1,20}[:|])?(?:tool_calls?\w{0,20}|function_calls?|tool_use|python_tag)\b[^>]{0,100}>`,
  String.raw`<\|?(?:\w{1,20}[:|])?invoke\s{1,9}name=`,
  '<function=',
  String.raw`\[TOOL_CALLS\]`,
].join('|')

interface Named {
  readonly name: string
}

const AT_START = new RegExp(`^(?:${OPENERS})`, 'i')
const ON_LINE = new RegExp(`^[ \\t]*(?:${OPENERS})`, 'gim')

const QUOTED = /```[\s\S]*?(?:```|$)|`[^`\n]*`/g
const THOUGHT = /^<think>[\s\S]*?<\/think>/
/** Longest text that is tried as the JSON of one call. */
const JSON_MAX = 64 * 1024

/** Whether an answer is, or ends in, a tool call written as text. Markup that is quoted in code is part of the answer. */
export const writesCalls = (text: string, tools: readonly Named[]): boolean => {
  const answer = text.trim()
  if (!('<[{'.includes(answer.charAt(0)) || endsLikeCall(answer))) return false
  const plain = answer.replace(THOUGHT, '').replaceAll('｜', '|').replaceAll('▁', '_').trim()
  return AT_START.test(plain) || isCallJson(plain, tools) || endsInCall(plain, tools)
}

const endsLikeCall = (answer: string): boolean => '>]}'.includes(answer.at(-1) ?? ' ')

/** Words first, then the call: taken for one only if it names a tool there is and nothing comes after it. */
const endsInCall = (plain: string, tools: readonly Named[]): boolean => {
  if (!endsLikeCall(plain)) return false
  const spoken = plain.replace(QUOTED, '')
  const last = [...spoken.matchAll(ON_LINE)].at(-1)
  if (last === undefined) return false
  const call = spoken.slice(last.index)
  return tools.some(({ name }) =>
    [`"${name}"`, `=${name}`, `>${name}`, `.${name}:`].some((form) => call.includes(form)),
  )
}

const isCallJson = (plain: string, tools: readonly Named[]): boolean => {
  if (!'{['.includes(plain.charAt(0)) || plain.length > JSON_MAX) return false
  const [call] = [parse(plain)].flat()
  if (typeof call !== 'object' || call === null) return false
  const { name, arguments: args, parameters } = call as Partial<Record<string, unknown>>
  return (
    typeof name === 'string' && tools.some((tool) => tool.name === name) && typeof (args ?? parameters) === 'object'
  )
}

const parse = (text: string): unknown => {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}
