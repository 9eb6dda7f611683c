import { mkdir, mkdtemp, realpath, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { createView, type View } from '../../src/sandbox/view.ts'
import type { ToolContext } from '../../src/tools/context.ts'

/** A thread's folder and two mounts on a real disk, beside a secret that nobody may reach. */
export interface TempView {
  readonly base: string
  readonly userData: string
  readonly project: string
  readonly view: View
  readonly context: ToolContext
  /** Writes a file of the machine, with its folders; `path` counts from the base. */
  put(path: string, content: string | Buffer): Promise<string>
  remove(): Promise<void>
}

export const SECRET = 'root:x:0:0:THE-SECRET'

export const tempView = async (): Promise<TempView> => {
  const base = await realpath(await mkdtemp(join(tmpdir(), 'troupe-view-')))
  const userData = join(base, 'project/.home/threads/t/user-data')
  const view = createView({
    userData,
    mounts: [
      { host: join(base, 'project'), path: '/mnt/project', writable: true, hidden: ['.home', '.env*', 'keys/private'] },
      { host: join(base, 'docs'), path: '/mnt/docs', writable: false, hidden: [] },
    ],
  })
  const put = async (path: string, content: string | Buffer): Promise<string> => {
    const target = join(base, path)
    await mkdir(dirname(target), { recursive: true })
    await writeFile(target, content)
    return target
  }
  await put('secret.txt', SECRET)
  await put('project/readme.md', 'hello project\n')
  await put('project/.env', `${SECRET}\n`)
  await put('project/packages/a/.env.local', `${SECRET}\n`)
  await put('project/keys/private/id', `${SECRET}\n`)
  await put('project/keys/public', 'a public key\n')
  await put('docs/guide.md', 'hello guide\n')
  return {
    base,
    userData,
    project: join(base, 'project'),
    view,
    context: { view, signal: new AbortController().signal },
    put,
    remove: () => rm(base, { recursive: true, force: true }),
  }
}

export const WORK = '/mnt/user-data/workspace'

/** Where the host keeps the workspace, from the base on. */
export const HOST_WORK = 'project/.home/threads/t/user-data/workspace'
