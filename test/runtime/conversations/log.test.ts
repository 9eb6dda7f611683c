import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { openRow } from '../../../src/policy/ledger.ts'
import { listThreads } from '../../../src/runtime/conversations/list.ts'
import { type Owner, ownOwner } from '../../../src/runtime/conversations/owner.ts'
import { rewriteLog } from '../../../src/runtime/conversations/rewrite.ts'
import { until, wait } from '../../support/runtime-scene.ts'
import { must } from '../../support/runtime-script.ts'
import { ended, historyOf, type Logs, logsIn } from '../../support/thread-log.ts'

/** A test with a home of its own. */
const on = (play: (logs: Logs, home: string) => Promise<void>) => async (): Promise<void> => {
  const home = mkdtempSync(join(tmpdir(), 'troupe-'))
  try {
    await play(logsIn(home), home)
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}

const GONE: Owner = { pid: 2 ** 31 - 1, start: 'long ago', thread: 0 }
const json = (...records: readonly object[]): string => records.map((record) => `${JSON.stringify(record)}\n`).join('')
const header = (version: unknown = 1) => ({ troupe: 'conversation', version, at: 1 })
const run = (id: string, after: string | null = null, owner: Owner = GONE) => ({ run: id, after, owner, at: 2 })
const end = (id: string) => ({ end: id, status: 'completed', at: 3 })
const says = (content: string) => ({ message: { role: 'user', content } })
const row = (id: string) => openRow({ id, run_id: 'r1', description: 'd', subagent_type: 'x', created_at: 'T' })

const START = `${json(header())}\n${json(run('r1'))}`
const lines = (...contents: readonly string[]): string => contents.map((content) => json(says(content))).join('')

const whole: readonly [rule: string, log: string, history: string, interrupted: string | null][] = [
  ['an empty log', '', '', null],
  ['a run that ended', START + lines('a', 'b') + json(end('r1')), lines('a', 'b'), null],
  ['a run that did not end', START + lines('a'), lines('a'), 'r1'],
  ['half a last line', `${START + lines('a')}{"message":{"ro`, lines('a'), 'r1'],
  ['a last line that only lacks its line break', START + lines('a', 'b').slice(0, -1), lines('a'), 'r1'],
  [
    'half a line of a run that was cut off before',
    `${START + lines('a')}{"mess\n${json(run('r2', 'r1'))}`,
    lines('a'),
    'r2',
  ],
  [
    'half a summary that looks whole forgets nothing',
    `${START + lines('a')}{"summary":"s","messages":[{}\n${json(run('r2', 'r1'))}`,
    lines('a'),
    'r2',
  ],
  ['half a first line', '{"troupe":"conv', '', null],
  ['a first line and half a claim', `${json(header())}\n{"run":"r`, '', null],
  ['half a first line, and a run that came after', `{"trou\n${START}${lines('a')}`, lines('a'), 'r1'],
  [
    'a damaged line stays for its reader to tell of',
    `${START}{"message":garbage}\n${lines('b')}`,
    `{"message":garbage}\n${lines('b')}`,
    'r1',
  ],
  ['a damaged line of the host', `${START}{"row":garbage}\n${lines('b')}`, lines('b'), 'r1'],
  ...[
    { row: null },
    { row: { ...openRow({ id: 'c1', run_id: 'r1', description: 'd', subagent_type: 'x', created_at: 'T' }), id: 5 } },
    { kept: null },
    { kept: { runs: 1, messages: 1, first_prompt: null, ledger: [null] } },
    { end: 'r1', status: 'gone', at: 3 },
    { run: 'r2', after: 'r1', at: 2 },
    { run: 'r2', after: 'r1', at: 2, owner: null },
    run('r2', 'r1', { ...GONE, pid: 0 }),
    run('r2', 'r1', { ...GONE, pid: -1 }),
    run('r2', 'r1', { ...GONE, task: '..' }),
  ].map((record): (typeof whole)[number] => [
    `a line of the host of a wrong shape, ${JSON.stringify(record)}`,
    START + lines('a') + json(record) + lines('b'),
    // Above a claim that does not count stands a line that may be half.
    'run' in record ? lines('b') : lines('a', 'b'),
    'r1',
  ]),
  ...[
    { summary: 1, messages: [] },
    { summary: 's', messages: null },
  ].map((record): (typeof whole)[number] => [
    `a summary of a wrong shape forgets nothing, ${JSON.stringify(record)}`,
    START + lines('a') + json(record) + lines('b'),
    lines('a') + json(record) + lines('b'),
    'r1',
  ]),
  [
    'a claim on what somebody else had taken',
    `${START + lines('a')}\n${json(run('late', null))}${lines('b')}${json(end('late'))}`,
    lines('a', 'b'),
    'r1',
  ],
  [
    'what a summary stands for',
    START + lines('a') + json({ summary: 's', messages: [] }) + lines('b') + json(end('r1')),
    json({ summary: 's', messages: [] }) + lines('b'),
    null,
  ],
  [
    'a character across two slices',
    START + lines('é'.repeat(200_000), 'b') + json(end('r1')),
    lines('é'.repeat(200_000), 'b'),
    null,
  ],
]

for (const [rule, log, history, interrupted] of whole) {
  test(
    `${rule}: the next run has all that is whole, and so has the one after it`,
    on(async (logs) => {
      logs.write(log)
      const opened = must(await logs.open('next'))
      assert.is(historyOf(opened), history)
      assert.is(opened.interrupted, interrupted)
      opened.conversation.add(JSON.stringify(says('next')))
      await ended(opened)
      assert.ok(logs.read().startsWith(log), 'what was there is still there')
      const again = must(await logs.open('again'))
      assert.is(historyOf(again), history + lines('next'))
      assert.is(again.interrupted, null)
      assert.equal(logs.warnings, [])
    }),
  )
}

test(
  'a delegation of a run that was cut off is told as interrupted, one that ended as it ended',
  on(async (logs) => {
    const done = { ...row('c1'), status: 'completed', result_brief: 'found' }
    logs.write(START + json({ row: row('c1') }, { row: row('c2') }, { row: done }))
    const { recalled } = must(await logs.open('next'))
    assert.equal(
      recalled.ledger.map(({ id, status, result_brief }) => [id, status, result_brief]),
      [
        ['c1', 'completed', 'found'],
        ['c2', 'failed', 'Interrupted: the process that ran it ended before it did'],
      ],
    )
  }),
)

const refused: readonly [rule: string, log: string, says: RegExp][] = [
  ['a newer version', json(header(2)), /written by a newer Troupe \(form 2, this one knows 1\); update Troupe/],
  ['a version that is no number', json(header('one')), /is not a conversation of Troupe; move it away/],
  ['another file', 'hello\nworld\n', /is not a conversation of Troupe; move it away/],
  ['JSON lines of something else', json({ message: { role: 'user' } }), /is not a conversation of Troupe/],
]

for (const [rule, log, message] of refused) {
  test(
    `${rule} is refused by name, and nothing is changed`,
    on(async (logs) => {
      logs.write(log)
      const error = await logs.open('next').catch((thrown) => thrown)
      assert.is(error.code, 'INTERNAL')
      assert.match(error.message, message)
      assert.ok(error.message.includes(logs.file()))
      assert.is(logs.read(), log)
      logs.write('')
      assert.ok(await logs.open('then'), 'nothing is held')
    }),
  )
}

const places: readonly [what: string, make: (file: string, home: string) => void, says?: (home: string) => string][] = [
  [
    'a file in place of the home',
    (_, home) => {
      rmSync(home, { recursive: true })
      writeFileSync(home, '')
    },
    (home) => `${home} is not a folder; move it away, or name another home`,
  ],
  [
    'a link in place of the log',
    (file, home) => {
      mkdirSync(dirname(file), { recursive: true })
      symlinkSync(join(home, 'elsewhere'), file)
    },
  ],
  [
    'a link in place of the folder',
    (file, home) => {
      mkdirSync(dirname(dirname(file)), { recursive: true })
      mkdirSync(join(home, 'elsewhere'))
      symlinkSync(join(home, 'elsewhere'), dirname(file))
    },
  ],
  ['a folder in place of the log', (file) => mkdirSync(file, { recursive: true })],
  [
    'a file in place of the folder of all threads',
    (file) => writeFileSync(dirname(dirname(file)), ''),
    (home) => `${join(home, 'threads')} is not a folder; move it away, or name another home`,
  ],
]

for (const [what, make, says] of places) {
  test(
    `${what} is refused by name, and nothing is written through it`,
    on(async (logs, home) => {
      make(logs.file(), home)
      const error = await logs.open('next').catch((thrown) => thrown)
      assert.is(error.code, 'INTERNAL')
      assert.ok(error.message.includes(logs.file()), error.message)
      assert.ok(error.message.endsWith(says?.(home) ?? ''), error.message)
      const elsewhere = join(home, 'elsewhere')
      assert.ok(!existsSync(elsewhere) || readdirSync(elsewhere).length === 0)

      const opened = must(await logs.open('new', 't', true))
      opened.conversation.add('{}')
      await ended(opened)
      assert.is(logs.warnings.length, 1, 'a run on a thread of its own goes on, and is told once')
      assert.ok(logs.warnings[0]?.includes(logs.file()))
      assert.ok(logs.warnings[0]?.endsWith(says?.(home) ?? ''), logs.warnings[0])
      assert.ok(!existsSync(elsewhere) || readdirSync(elsewhere).length === 0)
    }),
  )
}

const onLinux = process.platform === 'linux'

const owners: readonly [who: string, owner: (own: Owner) => Owner, busy: boolean][] = [
  ['a process that is gone', () => GONE, false],
  ['a process that has only the id of the one that had it', (own) => ({ ...own, start: 'before' }), false],
  ['a run of this thread that is no longer there', (own) => own, false],
  ['another thread of this process', (own) => ({ ...own, thread: own.thread + 1 }), true],
  ['a thread that is gone', (own) => ({ ...own, thread: own.thread + 1, task: `${2 ** 31 - 1} 1` }), !onLinux],
  [
    'a thread that has only the id of the one that had it',
    (own) => ({ ...own, thread: own.thread + 1, task: `${process.pid} 1` }),
    !onLinux,
  ],
  ['a thread that its system does not know', ({ pid, start, thread }) => ({ pid, start, thread: thread + 1 }), true],
  ['a process whose start is not known', (own) => ({ ...own, start: '' }), true],
]

for (const [who, ownerOf, busy] of owners) {
  test(
    `a conversation that ${who} has is ${busy ? 'busy' : 'taken over'}`,
    on(async (logs) => {
      const log = `${json(header())}\n${json(run('r1', null, ownerOf(await ownOwner())))}`
      logs.write(log)
      assert.is((await logs.open('next')) === null, busy)
      if (busy) assert.is(logs.read(), log, 'and left as it was')
    }),
  )
}

test(
  'one run at a time has a conversation, whichever runtime of this process it is of, until its last word is written',
  on(async (logs, home) => {
    const other = logsIn(`${home}/threads/..`)
    const all = await Promise.all([logs.open('a'), logs.open('b'), other.open('c'), logs.open('d')])
    const [first, ...rest] = all.filter((opened) => opened !== null)
    assert.is(rest.length, 0)
    assert.is(await other.open('e'), null)
    must(first).conversation.add(JSON.stringify(says('last')))
    await ended(must(first))
    assert.is(historyOf(must(await other.open('f'))), lines('last'))
  }),
)

test(
  'of two runs that begin a log at once the first in it has it',
  on(async (logs) => {
    const [first, second] = await Promise.all(
      ['first', 'second'].map(async (id) => {
        await ended(must(await logs.open(id, id)))
        return logs.read(id).replace(/.*"end".*\n/, '')
      }),
    )
    logs.write(`${first}${second}${lines('a')}`)
    const next = must(await logs.open('next'))
    assert.is(next.interrupted, 'first')
    assert.is(historyOf(next), lines('a'))
  }),
)

test(
  'a thread with a new id is not read, and its log is begun with its first words',
  on(async (logs) => {
    const opened = must(await logs.open('r', 't', true))
    assert.not.ok(existsSync(logs.file()))
    opened.conversation.add(JSON.stringify(says('a')))
    await ended(opened)
    assert.is(historyOf(must(await logs.open('next'))), lines('a'))
    assert.ok(logs.read().startsWith('{"troupe":"conversation","version":1,'))
  }),
)

test(
  'what could not be written is written once there is room, and told of once',
  on(async (logs, home) => {
    writeFileSync(join(home, 'threads'), 'in the way')
    const opened = must(await logs.open('r', 't', true))
    opened.conversation.add(JSON.stringify(says('a')))
    await until(5000, 'it is told', () => logs.warnings.length === 1)
    opened.conversation.add(JSON.stringify(says('b')))
    await wait(20)
    rmSync(join(home, 'threads'))
    opened.conversation.add(JSON.stringify(says('c')))
    await ended(opened)
    assert.is(historyOf(must(await logs.open('next'))), lines('a', 'b', 'c'))
    assert.is(logs.warnings.length, 1)
  }),
)

test(
  'a log of which most is summed up is rewritten, and tells the same',
  on(async (logs) => {
    const opened = must(await logs.open('r1'))
    const { conversation } = opened
    conversation.add(JSON.stringify(says('first prompt')))
    conversation.note(row('c1'))
    for (let i = 0; i < 10; i++) conversation.add(JSON.stringify(says('x'.repeat(30_000))))
    await ended(opened)
    assert.ok(logs.read().length > 300_000)

    const next = must(await logs.open('r2'))
    writeFileSync(`${logs.file()}.new`, 'left by a process that was killed')
    next.conversation.add(JSON.stringify({ summary: 's', messages: [] }))
    next.conversation.add(JSON.stringify(says('after')))
    await until(5000, 'it is rewritten', () => logs.read().length < 2000)
    await ended(next)
    assert.ok(logs.read().length < 2000, logs.read())
    assert.equal(readdirSync(dirname(logs.file())), ['thread.jsonl'])

    const last = must(await logs.open('r3'))
    assert.is(historyOf(last), json({ summary: 's', messages: [] }) + lines('after'))
    assert.equal(
      last.recalled.ledger.map(({ id }) => id),
      ['c1'],
    )
    assert.is(last.interrupted, null)
  }),
)

test(
  'a run that is summed up and ends in one breath rewrites its log before it says that it ended',
  on(async (logs) => {
    logs.write(START + lines('first prompt', 'x'.repeat(300_000)))
    const opened = must(await logs.open('r2'))
    opened.conversation.add(JSON.stringify({ summary: 's', messages: [] }))
    await ended(opened)
    assert.ok(logs.read().length < 2000)
    assert.ok(logs.read().endsWith(json({ ...end('r2'), at: 1000 })))
    assert.is(historyOf(must(await logs.open('r3'))), json({ summary: 's', messages: [] }))
  }),
)

test(
  'a log is not rewritten by a run that has said that it ended: another may have it',
  on(async (logs) => {
    logs.write(START + json({ summary: 's', messages: [] }, end('r1')))
    const before = logs.read()
    assert.is(await rewriteLog(logs.file(), 'r1'), false)
    assert.is(logs.read(), before)
  }),
)

test(
  'a log that is removed while a run has it is told of: what is written to it is lost',
  on(async (logs) => {
    const opened = must(await logs.open('r', 't', true))
    opened.conversation.add(JSON.stringify(says('a')))
    await until(5000, 'it is written', () => existsSync(logs.file()) && logs.read().endsWith(lines('a')))
    rmSync(dirname(logs.file()), { recursive: true })
    await ended(opened)
    assert.equal(logs.warnings, [
      `The conversation in ${logs.file()} cannot be written: it was removed while the run was under way`,
    ])
  }),
)

test(
  'a log that is too big to be read is refused by name and left as it is, and a list says so',
  on(async (logs, home) => {
    logs.write(START + json(end('r1')))
    truncateSync(logs.file(), 5e9)
    const message = `The conversation in ${logs.file()} is 4769 MiB, and no more than 512 MiB can be read; move it away, or use another thread id`
    assert.is((await logs.open('next').catch((thrown) => thrown)).message, message)
    assert.is(statSync(logs.file()).size, 5e9)
    assert.equal(
      (await listThreads(home)).map(({ state, error }) => [state, error]),
      [['unreadable', message]],
    )
  }),
)

test(
  'what a run that was killed amid a rewrite has left is removed',
  on(async (logs) => {
    logs.write(START + lines('a'))
    writeFileSync(`${logs.file()}.new`, '{"troupe":')
    assert.is(historyOf(must(await logs.open('next'))), lines('a'))
    assert.equal(readdirSync(dirname(logs.file())), ['thread.jsonl'])
  }),
)

test(
  'more logs than may be open at once are written all the same, and none stays open',
  on(async (logs) => {
    const before = readdirSync('/dev/fd').length
    const runs = Array.from({ length: 300 }, (_, i) => `t${i}`)
    const opened = await Promise.all(runs.map(async (id) => must(await logs.open(`r${id}`, id, true))))
    for (const { conversation } of opened) conversation.add(JSON.stringify(says('a')))
    let most = 0
    const look = setInterval(() => (most = Math.max(most, readdirSync('/dev/fd').length - before)), 1)
    for (const { conversation } of opened) conversation.add(JSON.stringify(says('b')))
    await Promise.all(opened.map(ended))
    clearInterval(look)
    assert.ok(most > 0 && most < 220, `${most} were open`)
    assert.is(readdirSync('/dev/fd').length, before)
    for (const id of runs) assert.is(historyOf(must(await logs.open('next', id))), lines('a', 'b'))
  }),
)

test.run()
