import { LineCounter, parseDocument } from 'yaml'
import type { Problem } from '../contract/errors.ts'
import { inspectNodes } from './yaml-nodes.ts'

/** How often anchors may be used over: enough for any config, far too little for one that grows without end. */
const ALIASES_MAX = 100
const CONFLICT = /^(?:<{7}|={7}|>{7})(?: |$)/m

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
  prettyErrors: false,
  uniqueKeys: false,
  merge: true,
  schema: 'core',
  resolveKnownTags: false,
} as const

const read = (text: string): Found => {
  const lineCounter = new LineCounter()
  const document = parseDocument(text, { ...OPTIONS, lineCounter })
  const place = (offset: number): string => {
    const { line, col } = lineCounter.linePos(offset)
    return `line ${line}, column ${col}`
  }
  const conflict = CONFLICT.exec(text)
  if (conflict !== null && document.errors.length > 0)
    return { problems: [fault(`${place(conflict.index)}: a merge conflict is left in the file`)] }

  const faults = [...document.errors, ...document.warnings].map((error) =>
    fault(`${place(error.pos[0])}: ${said(error)}`),
  )
  const problems = [...faults, ...inspectNodes(document, (offset) => lineCounter.linePos(offset).line)]
  return problems.length > 0 ? { problems } : { tree: document.toJS({ maxAliasCount: ALIASES_MAX }) ?? {} }
}

const said = ({ code, message }: { readonly code: string; readonly message: string }): string => {
  if (code === 'MULTIPLE_DOCS') return 'a second document begins here; a config is one document'
  // What follows the colon is text of the file, which may be a secret.
  return code === 'UNEXPECTED_TOKEN' ? message.replace(/:\s.*$/s, '') : message
}
