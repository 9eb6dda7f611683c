import { mkdirSync, mkdtempSync, rmSync, utimesSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { dispatch } from '../../src/cli/dispatch.ts'
import { openRow } from '../../src/policy/ledger.ts'
import { ownOwner } from '../../src/runtime/conversations/owner.ts'
import { fakeWorld } from './fake-world.ts'

const json = (...records: readonly object[]): string => records.map((record) => `${JSON.stringify(record)}\n`).join('')
const GONE = { pid: 2 ** 31 - 1, start: 'long ago', thread: 0 }
const begin = (owner: object): string =>
  `${json({ troupe: 'conversation', version: 1, at: 1 })}\n${json({ run: 'r1', after: null, owner, at: 2 })}`
const user = (content: string) => ({ message: { role: 'user', content } })
const answer = (content: string, ...toolCalls: readonly object[]) => ({
  message: { role: 'assistant', id: 'm1', content, toolCalls },
})
const END = { end: 'r1', status: 'completed', at: 3 }
const row = openRow({ id: 'c1', run_id: 'r1', description: 'Look\u001b[31m', subagent_type: 'scout', created_at: 'T' })

const PARTLY = { status: 'cancelled', partial_brief: `Found\n\u001b[2Jtwo of ${'three '.repeat(200)}` } as const

const asks = answer('', { id: 'c1', name: 'task', args: { prompt: 'look' } })

/** Logs by thread id, the one used last first. */
const logs = async (): Promise<Readonly<Record<string, string>>> => ({
  review: begin(GONE) + json(user('What\nis wrong?'), asks, { row }),
  busy: begin({ ...(await ownOwner()), thread: 99 }) + json(user('Wait'), asks, { row }),
  done: begin(GONE) + json(user('x'.repeat(300)), answer('All is well.\u001b]0;title\u0007'), END),
  // As a terminal would be driven, and with halves of sequences at the ends.
  hostile:
    begin(GONE) +
    json(
      user('A\u202eB\u001b'),
      answer('C\u202e\u009b31mD', { id: 'c1', name: 'ls\u001b', args: { path: 'x\u009b' } }),
      {
        row: { ...row, description: 'E\u001b', subagent_type: 'F\u009b', result_brief: 'G\u202e', status: 'completed' },
      },
      END,
    ),
  torn: `${begin(GONE)}${json(user('Half'))}{"message":{"ro`,
  newer: json({ troupe: 'conversation', version: 9, at: 1 }),
  partly: begin(GONE) + json(user('Go'), asks, { row: { ...row, ...PARTLY } }, answer('Half.'), END),
  foreign: 'my notes\n',
})

const on = (play: (troupe: Troupe, home: string) => Promise<void>) => async (): Promise<void> => {
  const home = mkdtempSync(join(tmpdir(), 'troupe-'))
  const troupe: Troupe = async (argv, columns) => {
    const { world, stdout, stderr } = fakeWorld({ env: { TROUPE_HOME: home } })
    if (columns) Object.assign(stdout, { isTTY: true, columns })
    const code = await dispatch(['threads', ...argv], '1', world)
    return { code, out: stdout.text, err: stderr.text }
  }
  try {
    for (const [place, [id, log]] of Object.entries(await logs()).entries()) {
      const file = join(home, 'threads', id, 'thread.jsonl')
      mkdirSync(dirname(file), { recursive: true })
      writeFileSync(file, log)
      utimesSync(file, 1e9 - place, 1e9 - place)
    }
    mkdirSync(join(home, 'threads', 'files-only', 'user-data'), { recursive: true })
    await play(troupe, home)
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

type Troupe = (argv: readonly string[], columns?: number) => Promise<{ code: number; out: string; err: string }>

test(
  'the conversations are listed, the one used last first, with their state and what they began with',
  on(async (troupe, home) => {
    const { code, out } = await troupe([])
    assert.is(code, 0)
    const [head = '', ...rows] = out.trimEnd().split('\n')
    assert.match(head, /^ID +LAST USED +RUNS +MESSAGES +STATE +FIRST PROMPT$/)
    const short = rows.map((line) =>
      line
        .replace(/\d{4}-\d\d-\d\d \d\d:\d\d/, 'AT')
        .replace(/ {2,}/g, '|')
        .replace(home, 'HOME')
        .slice(0, 45),
    )
    assert.equal(
      short,
      [
        'review|AT|1|2|interrupted|What is wrong?',
        'busy|AT|1|2|busy|Wait',
        `done|AT|1|2|idle|${'x'.repeat(60)}`,
        'hostile|AT|1|2|idle|AB',
        'torn|AT|1|1|interrupted|Half',
        'newer|AT|0|0|unreadable|The conversation in HOME',
        'partly|AT|1|3|idle|Go',
        'foreign|AT|0|0|unreadable|HOME/threads/foreign/thread.jsonl',
      ].map((line) => line.slice(0, 45)),
    )
  }),
)

test(
  'on a terminal no line is wider than that',
  on(async (troupe) => {
    for (const columns of [40, 80]) {
      for (const argv of [[], ['done'], ['review'], ['partly']]) {
        const { out } = await troupe(argv, columns)
        const table = argv.length === 0 ? out : out.slice(out.indexOf('Delegated'))
        assert.ok(
          table.split('\n').every((line) => line.length <= columns),
          out,
        )
      }
    }
  }),
)

test(
  'for a program each has its facts',
  on(async (troupe) => {
    const threads = JSON.parse((await troupe(['--json'])).out)
    assert.equal(threads[0], {
      ...{ thread_id: 'review', state: 'interrupted', last_used_at: 1e12, runs: 1, messages: 2 },
      ...{ first_prompt: 'What\nis wrong?', error: null },
    })
    assert.match(threads[5].error, 'written by a newer Troupe')
    const shown = JSON.parse((await troupe(['review', '--json'])).out)
    assert.equal(
      shown.transcript.map(({ type, content }: { type: string; content: string }) => [type, content.slice(0, 12)]),
      [
        ['human', 'What\nis wron'],
        ['ai', ''],
        ['tool', 'Task failed.'],
      ],
      'as the next run would go on from it',
    )
    const busy = JSON.parse((await troupe(['busy', '--json'])).out)
    assert.equal([busy.transcript.length, busy.delegations[0].status], [2, 'in_progress'])
    assert.equal([shown.delegations[0].status, shown.run_list[0].status], ['failed', null])
  }),
)

for (const argv of [['--json'], ['hostile', '--json']]) {
  test(
    `what it prints as JSON cannot drive a terminal: troupe threads ${argv.join(' ')}`,
    on(async (troupe) => assert.not.match((await troupe(argv)).out, /[^\P{C}\n]/u)),
  )
}

const shown: readonly [id: string, says: RegExp][] = [
  ['review', /^review: its last run was cut off\. 1 run; 2 messages; last used .*\n.*\n\n> What\n {2}is wrong\?\n/],
  ['review', / {2}· task \{"prompt":"look"\}\n\nDelegated:\n {2}\[failed\] Look \(scout\) -> Interrupted/],
  ['busy', /^busy: a run is under way\..*\n(.*\n)*> Wait\n(.*\n)* {2}\[in_progress\] Look \(scout\)\n$/],
  ['done', /^done: idle\. 1 run, the last one completed; 2 messages(.*\n)*> x{300}\n\nAll is well\.\n$/],
  ['hostile', /\n> AB\n\nCD\n {2}· ls \{"path":"x\\u009b"\}\n\nDelegated:\n {2}\[completed\] E \(F\) -> G\n$/],
  ['torn', /> Half\n/],
  ['partly', /\n {2}\[cancelled\] Look \(scout\)\n {6}so far: Found two of three [^\n]{550,580}…\n$/],
]

test(
  'where its files lie is said of a conversation that has any',
  on(async (troupe, home) => {
    const files = join(home, 'threads', 'done', 'user-data')
    assert.not.match((await troupe(['done'])).out, files)
    mkdirSync(files)
    assert.match((await troupe(['done'])).out, `\nfiles: ${files}\n`)
  }),
)

for (const [id, says] of shown) {
  test(
    `${id} is shown: ${says.source.slice(0, 40)}`,
    on(async (troupe) => {
      const { code, out } = await troupe([id])
      assert.is(code, 0)
      assert.match(out, says)
      assert.not.match(out, /[^\P{C}\n]/u)
    }),
  )
}

const refused: readonly [argv: readonly string[], code: number, says: RegExp][] = [
  [['reviw'], 2, /There is no conversation "reviw" in .*\. Did you mean review\?\nSee: troupe threads --help/],
  [['something-else-entirely'], 2, /`troupe threads` lists all there are/],
  [['files-only'], 2, /There is no conversation "files-only"/],
  [['../threads/done'], 2, /There is no conversation/],
  [['review', 'done'], 2, /One conversation at a time/],
  [['newer'], 1, /newer\/thread\.jsonl was written by a newer Troupe.*[^)]\n$/],
  [['foreign'], 1, /foreign\/thread\.jsonl .*[^)]\n$/],
]

for (const [argv, code, says] of refused) {
  test(
    `troupe threads ${argv.join(' ')} ends with ${code}`,
    on(async (troupe) => {
      const said = await troupe(argv)
      assert.equal([said.code, said.out], [code, ''])
      assert.match(said.err, says)
    }),
  )
}

test(
  'a first prompt is cut also where no terminal ends it',
  on(async (troupe) => assert.match((await troupe([])).out, / idle +x{119}…\n/)),
)

for (const [argv, place] of [
  [[], ''],
  [[], 'threads'],
  [['review'], ''],
] as const) {
  test(
    `a home that is none is named: troupe threads ${argv.join(' ')}, a file at ${place || 'its place'}`,
    on(async (troupe, home) => {
      rmSync(join(home, place), { recursive: true })
      writeFileSync(join(home, place), '')
      const { code, out, err } = await troupe(argv)
      assert.equal([code, out], [2, ''])
      assert.ok(err.startsWith(`error: No conversations can be in ${home}/threads: a part of this path is a file`), err)
      assert.match(err, 'TROUPE_HOME may name another folder')
      assert.not.match(err, 'scandir')
    }),
  )
}

test(
  'without any, it says how to begin one',
  on(async (troupe, home) => {
    rmSync(join(home, 'threads'), { recursive: true })
    assert.equal(await troupe([]), {
      code: 0,
      out: `No conversations in ${home} yet. Begin one: troupe run --thread review "What would you change here?"\n`,
      err: '',
    })
    assert.is((await troupe(['--json'])).out, '[]\n')
  }),
)

test.run()
