import { parseArgs } from 'node:util'
import { nearest } from '../config/nearest.ts'
import { clean, lineOf } from './view/text.ts'

/** One flag of a command. */
export interface Flag {
  readonly type: 'string' | 'boolean' | 'number'
  /** What stands for the value in the help. */
  readonly value?: string
  readonly about: string
  /** What a shell may offer for the value: names of files, of conversations, or one of these words. */
  readonly completes?: 'file' | 'thread' | readonly string[]
}

export type Flags = Readonly<Record<string, Flag>>

export interface Parsed {
  readonly values: Readonly<Record<string, string | number | boolean>>
  readonly words: readonly string[]
}

/** A mistake on the command line; the message says what would be right. */
export class UsageError extends Error {
  override readonly name = 'UsageError'
}

/** The same with what was given in it, made safe to show. */
export const misuse = (ours: TemplateStringsArray, ...given: readonly string[]): UsageError =>
  new UsageError(lineOf(ours, ...given))

export const HELP: Flag = { type: 'boolean', about: 'Show this help' }

const didYouMean = (name: string, flags: Flags): string => {
  const close = nearest(name, Object.keys(flags))
  return close ? ` Did you mean --${close}?` : ''
}

const readValue = (name: string, flag: Flag, text: string | undefined): string | number | boolean => {
  if (flag.type === 'boolean') {
    if (text !== undefined) throw misuse`--${name} takes no value.`
    return true
  }
  if (text === undefined || text === '') throw misuse`--${name} needs a value: --${name} ${flag.value ?? 'VALUE'}`
  // A file may be called anything, but no model and no agent that can be asked for is called that.
  if (flag.type === 'string' && flag.completes !== 'file' && text !== clean(text))
    throw misuse`--${name} takes a name without control characters, not "${text}".`
  if (flag.type === 'string') return text
  if (!/^[+-]?\d{1,9}$/.test(text)) throw misuse`--${name} wants a whole number, not "${text}".`
  return Number(text)
}

/** Reads the arguments of one command. Throws a `UsageError` that names the flag at fault. */
export const parse = (args: readonly string[], flags: Flags): Parsed => {
  const known: Flags = { ...flags, help: HELP }
  const options = Object.fromEntries(
    Object.entries(known).map(([name, { type }]) => [
      name,
      { type: type === 'boolean' ? type : 'string', ...(name === 'help' && { short: 'h' }) } as const,
    ]),
  )
  // Not strict: its messages name no neighbour, and it cannot tell a number.
  const { tokens } = parseArgs({ args: [...args], options, allowPositionals: true, strict: false, tokens: true })
  const values: Record<string, string | number | boolean> = {}
  const words: string[] = []
  for (const token of tokens) {
    if (token.kind === 'positional') words.push(token.value)
    if (token.kind !== 'option') continue
    const flag = Object.hasOwn(known, token.name) ? known[token.name] : undefined
    if (!flag) throw misuse`Unknown option ${token.rawName}.${didYouMean(token.name, known)}`
    // `--thread --json` is a forgotten value; who means it writes `--thread=--json`.
    const forgotten = flag.type !== 'boolean' && token.inlineValue === false && token.value.startsWith('--')
    values[token.name] = readValue(token.name, flag, forgotten ? undefined : token.value)
  }
  return { values, words }
}
