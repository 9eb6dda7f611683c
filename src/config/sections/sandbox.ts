import * as z from 'zod/mini'
import { entry, flag, list, moduleExport, reference, seconds, section, text } from '../fields.ts'

/** Where Troupe's own folders stand; nothing else may be mounted there, or above them. */
const RESERVED = ['/mnt/user-data', '/mnt/skills', '/mnt/acp-workspace']

const foldersAbove = (path: string): string[] => {
  const above = path.slice(0, path.lastIndexOf('/'))
  return above === '' ? [] : [above, ...foldersAbove(above)]
}

const PLAIN = /^(?:\/(?!\.{1,2}(?:\/|$))[^/\0]+)+$/
/** Neither one of these, nor below or above it. */
const FREE = new RegExp(
  `^(?!${RESERVED.join('(?:/|$)|')}(?:/|$)|(?:${[...new Set(RESERVED.flatMap(foldersAbove))].join('|')})$)`,
)

const virtualPath = z
  .string()
  .check(
    z.regex(PLAIN, { error: 'must be an absolute path without "." or "..", such as /mnt/project', abort: true }),
    z.regex(FREE, { error: `must not touch what is reserved: ${RESERVED.join(', ')}` }),
  )

const variables = z._default(
  z.record(
    z.string().check(z.regex(/^[A-Za-z_]\w*$/, { error: 'must be the name of a variable, such as GH_TOKEN' })),
    reference,
  ),
  {},
)

export const sandbox = section({
  use: z._default(
    z.union([z.enum(['local', 'bubblewrap']), moduleExport], { error: 'must be local, bubblewrap or module#export' }),
    'local',
  ),
  allow_host_bash: flag(false),
  network: flag(false),
  bash_timeout_seconds: seconds(600),
  env: variables,
  mounts: list(entry({ host: text, path: virtualPath, writable: flag(false) })),
})
