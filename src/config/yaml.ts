import { Composer, type Document, Lexer, LineCounter, Parser } from 'yaml'
import type { Problem } from '../contract/errors.ts'
import { inspectNodes } from './yaml-nodes.ts'

const CONFLICT = /^(?:<{7}|={7}|>{7})(?: |$)/m

/** Maps and lists inside each other: more than any config has, and few enough to be walked without running out of stack. */
const DEPTH_MAX = 100

type Found = { readonly tree: unknown } | { readonly problems: readonly Problem[] }

const fault = (message: string): Problem => ({ level: 'error', path: '', code: 'yaml_syntax', message })

/**
 * Reads YAML 1.2, of which JSON is a part. Merge keys (`<<`) are applied; what else YAML allows and a config does not
 * need (several documents, tags, keys that are lists or maps) is refused. Each fault says its line.
 */
export const parseYaml = (text: string): Found => {
  try {
    return read(text)
  } catch (error) {
    return { problems: [fault(error instanceof Error ? error.message : String(error))] }
  }
}

const OPTIONS = {
  uniqueKeys: false,
  merge: true,
  schema: 'core',
  resolveKnownTags: false,
} as const

/** The documents of a text, one at a time. */
const compose = (text: string, lines: LineCounter): Iterator<Document.Parsed, void> => {
  const parser = new Parser(lines.addNewLine)
  lines.addNewLine(0)
  function* tokens() {
    for (const lexeme of new Lexer().lex(text)) {
      // The parser keeps a stack of its own; what composes its tokens does not, and would take the process down.
      if (parser.stack.length > DEPTH_MAX) {
        const { line, col } = lines.linePos(parser.offset)
        throw new Error(`line ${line}, column ${col}: maps and lists stand too deep inside each other`)
      }
      yield* parser.next(lexeme)
    }
    yield* parser.end()
  }
  return new Composer(OPTIONS).compose(tokens(), true, text.length)
}

const read = (text: string): Found => {
  const lines = new LineCounter()
  const place = (offset: number): string => {
    const { line, col } = lines.linePos(offset)
    return `line ${line}, column ${col}`
  }
  const documents = compose(text, lines)
  const [document, second] = [documents.next().value, documents.next().value]
  if (!document) return { tree: {} }
  const faults = [...document.errors, ...document.warnings].map((error) =>
    fault(`${place(error.pos[0])}: ${said(error)}`),
  )
  if (second) faults.push(fault(`${place(second.range[0])}: a second document begins here; a config is one document`))
  const conflict = CONFLICT.exec(text)
  if (conflict !== null && faults.length > 0)
    return { problems: [fault(`${place(conflict.index)}: a merge conflict is left in the file`)] }

  const problems = [...faults, ...inspectNodes(document, (offset) => lines.linePos(offset).line)]
  // Aliases have been counted: what they come to is bounded.
  return problems.length > 0 ? { problems } : { tree: document.toJS({ maxAliasCount: -1 }) ?? {} }
}

/** What follows the colon is text of the file, which may be a secret. */
const said = ({ code, message }: { readonly code: string; readonly message: string }): string =>
  code === 'UNEXPECTED_TOKEN' ? message.replace(/:\s.*$/s, '') : message
