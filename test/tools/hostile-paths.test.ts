import { readdir, readFile, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { suite } from 'uvu'
import * as assert from 'uvu/assert'
import type { ToolOutcome } from '../../src/contract/tools.ts'
import { isolatedEffects } from '../../src/tools/isolated-effects.ts'
import { workerEffects } from '../../src/tools/worker-effects.ts'
import { HOST_WORK, SECRET, type TempView, tempView, WORK } from '../sandbox/temp-view.ts'

const hostile = suite<{ temp: TempView }>('hostile paths')

hostile.before(async (context) => {
  context.temp = await tempView()
  await context.temp.put(`${HOST_WORK}/in.txt`, 'inside')
  await symlink(context.temp.base, join(context.temp.base, HOST_WORK, 'out'))
  await symlink(join(context.temp.base, 'secret.txt'), join(context.temp.base, HOST_WORK, 'secret'))
})
hostile.after(({ temp }) => temp.remove())

const tools = ['ls', 'read_file', 'write_file', 'glob', 'grep'] as const

const run = (tool: string, path: unknown, { context }: TempView): Promise<ToolOutcome> => {
  const effect = workerEffects.get(tool) ?? isolatedEffects.get(tool)
  const args = { path, content: 'ESCAPED', pattern: tool === 'glob' ? '**' : 'root:' }
  return effect?.(args, context) ?? Promise.reject(new Error(tool))
}

const paths = (base: string): readonly unknown[] => [
  ...[
    `${WORK}/../../../../etc/passwd`,
    `${WORK}-evil/x`,
    `${WORK}/../uploads/../../secret`,
    '/mnt/user-dataX/workspace/a',
  ],
  ...['/etc/passwd', '//etc/passwd', '/etc', '/proc/self/environ', '/dev/zero', '/', '', '  ', '/mnt/user-data/x'],
  ...[
    `${WORK}/a\0.txt`,
    'C:\\Windows\\win.ini',
    '..\\..\\etc',
    `${WORK}\\..\\x`,
    'file:///etc/passwd',
    '~/.ssh/id_rsa',
  ],
  ...['$HOME/.bashrc', `${WORK}/%2e%2e/../../etc/passwd/../../../../../etc/passwd`, '..', `${WORK}/..`, '../secret'],
  ...[`${WORK}/out/secret.txt`, `${WORK}/out`, `${WORK}/secret`, `${WORK}/out/project/.env`, 'out/new/x'],
  ...['/mnt/project/.env', '/mnt/project/.home', '/mnt/project/.home/threads/t', '/mnt/project/packages/a/.env.local'],
  ...['/mnt/project/keys/private', '/mnt/project/keys/private/id', '/mnt/project/../secret.txt', '/mnt/docs-x'],
  ...[base, `${base}/secret.txt`, join(base, HOST_WORK, 'in.txt')],
  ...[null, 7, true, {}, ['/etc/passwd'], `${WORK}/${'a'.repeat(300)}/x`, `${WORK}/${'a/'.repeat(3000)}x`],
]

for (const tool of tools) {
  hostile(`${tool} refuses them all, and names no path of the machine`, async ({ temp }) => {
    for (const path of paths(temp.base)) {
      // Searches take null for a path that was left out.
      if (path === null && (tool === 'glob' || tool === 'grep')) continue
      const label = `${tool} ${JSON.stringify(path)?.slice(0, 80)}`
      const { status, content } = await run(tool, path, temp)
      assert.is(status, 'error', `${label} gave ${content}`)
      assert.ok(content.startsWith('Error: '), label)
      assert.not.match(content, 'SECRET')
      assert.not.match(content, '\0')
      assert.not.match(content, '\n')
      if (!String(path).startsWith(temp.base)) assert.not.match(content, temp.base)
    }
    assert.equal((await readdir(temp.base)).sort(), ['docs', 'project', 'secret.txt'])
    assert.equal((await readdir(join(temp.base, HOST_WORK))).sort(), ['in.txt', 'out', 'secret'])
    assert.is(await readFile(join(temp.base, 'secret.txt'), 'utf8'), SECRET)
  })
}

for (const tool of ['glob', 'grep'] as const) {
  for (const start of ['/mnt', '/mnt/user-data', '/mnt/project', WORK]) {
    hostile(`${tool} from ${start} on finds nothing that is hidden or outside`, async ({ temp }) => {
      const { status, content } = await run(tool, start, temp)
      assert.is(status, 'success', content)
      assert.not.match(content, 'SECRET')
      assert.not.match(content, /\.env|\.home|private|secret|passwd/)
    })
  }
}

for (const pattern of [
  '/etc/*',
  '../*',
  '../../**',
  'a/../../*',
  '/mnt/project/../*',
  '{..,x}/*',
  '/**',
  '/e{tc,}/*',
]) {
  hostile(`the glob ${pattern} stays inside`, async ({ temp }) => {
    const { content } = (await isolatedEffects.get('glob')?.({ pattern }, temp.context)) ?? { content: 'none' }
    assert.match(content, /^(Error: |No files matched)/)
  })
}

hostile('refusals say why', async ({ temp }) => {
  const texts = [
    [
      'read_file',
      '/etc/passwd',
      /^Error: Permission denied reading file: \/etc\/passwd \(Only paths under .*\/mnt\/project/,
    ],
    [
      'write_file',
      `${WORK}/../x`,
      /^Error: Permission denied writing to file: .* \(Access denied: path traversal detected\)$/,
    ],
    ['ls', '/etc', /^Error: Permission denied: \/etc \(/],
    ['ls', `${WORK}/none`, /^Error: Directory not found: \/mnt\/user-data\/workspace\/none$/],
    ['ls', `${WORK}/in.txt`, /^Error: Path is not a directory: /],
    ['glob', `${WORK}/in.txt`, /^Error: Path is not a directory: /],
    ['read_file', 'none.txt', /^Error: File not found: none.txt$/],
    ['read_file', 'in.txt/x', /^Error: File not found: in.txt\/x$/],
    ['read_file', '/mnt/user-data', /^Error: Path is a directory, not a file: \/mnt\/user-data$/],
    ['read_file', '/mnt/project/.env', /^Error: File not found: \/mnt\/project\/.env$/],
    ['write_file', WORK, /^Error: Path is a directory, not a file: /],
    ['write_file', 'in.txt/x', /^Error: A part of the path is a file, not a directory: in.txt\/x$/],
    ['write_file', '/mnt/docs/x', /read-only mount is not allowed: \/mnt\/docs/],
    ['write_file', '/mnt/skills/public/x', /Write access to skills path is not allowed/],
    ['write_file', '/mnt/acp-workspace/x', /Write access to ACP workspace is not allowed/],
    ['write_file', '/mnt/project/.env', /\(This name is reserved\)$/],
    ['read_file', '', /^Error: Permission denied reading file: \(empty\) \(The path is empty\)$/],
    ['read_file', 7, /^Error: Permission denied reading file: \(number\) \(The path is not a text\)$/],
    ['read_file', 'a\nb\u001b[2J', /^Error: File not found: a␊b␛\[2J$/],
  ] as const
  for (const [tool, path, expected] of texts) assert.match((await run(tool, path, temp)).content, expected)
})

hostile('a call that was stopped says so', async ({ temp }) => {
  const signal = AbortSignal.abort()
  for (const [name, effect] of [...workerEffects, ...isolatedEffects]) {
    const args = { path: WORK, paths: [WORK], pattern: 'x', content: '' }
    const outcome = await effect(args, { view: temp.view, signal })
    assert.equal(outcome, { status: 'error', content: 'Error: Stopped before it was done' }, name)
  }
})

hostile.run()
