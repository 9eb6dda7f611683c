import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { locate } from '../../src/sandbox/locate.ts'
import { createView } from '../../src/sandbox/view.ts'

const view = createView({
  userData: '/host/data',
  mounts: [
    { host: '/host/project', path: '/mnt/project', writable: true, hidden: [] },
    { host: '/host/inner', path: '/mnt/project/inner', writable: false, hidden: [] },
    { host: '/host/evil', path: '/mnt/user-data/workspace', writable: true, hidden: [] },
  ],
})

const WORK = '/mnt/user-data/workspace'

const places: readonly [raw: string, host: string, below: readonly string[]][] = [
  [WORK, '/host/data/workspace', []],
  [`${WORK}/`, '/host/data/workspace', []],
  [`/${WORK}//a///b.txt`, '/host/data/workspace', ['a', 'b.txt']],
  ['notes.md', '/host/data/workspace', ['notes.md']],
  ['./a/./b', '/host/data/workspace', ['a', 'b']],
  ['.', '/host/data/workspace', []],
  [`${WORK}/./x/../a.txt`, '/host/data/workspace', ['a.txt']],
  ['x/y/../../z', '/host/data/workspace', ['z']],
  ['../uploads/a', '/host/data/uploads', ['a']],
  ['./x/../../outputs', '/host/data/outputs', []],
  ['/mnt/user-data/uploads/a b é🦌.txt', '/host/data/uploads', ['a b é🦌.txt']],
  ['/mnt/user-data/outputs/-rf', '/host/data/outputs', ['-rf']],
  [`${WORK}/..hidden`, '/host/data/workspace', ['..hidden']],
  [`${WORK}/a..b`, '/host/data/workspace', ['a..b']],
  [`${WORK}/...`, '/host/data/workspace', ['...']],
  [`${WORK}/%2e%2e/x`, '/host/data/workspace', ['%2e%2e', 'x']],
  [`${WORK}/a\\b`, '/host/data/workspace', ['a\\b']],
  [`${WORK}/~/x`, '/host/data/workspace', ['~', 'x']],
  ['~$report.docx', '/host/data/workspace', ['~$report.docx']],
  ['$price.txt', '/host/data/workspace', ['$price.txt']],
  [`${WORK}/mnt/user-data/workspace/n`, '/host/data/workspace', ['mnt', 'user-data', 'workspace', 'n']],
  ['/mnt/project/src/a.ts', '/host/project', ['src', 'a.ts']],
  ['/mnt/project/inner/a', '/host/inner', ['a']],
  ['/mnt/project/inner-not/a', '/host/project', ['inner-not', 'a']],
]

for (const [raw, host, below] of places) {
  test(`${JSON.stringify(raw)} is a place`, () => {
    const place = locate(view, raw)
    assert.is(place.root?.host, host)
    assert.equal(place.root === null ? null : place.below, below)
  })
}

for (const [raw, names] of [
  ['/mnt', ['user-data', 'project']],
  ['/mnt/user-data/', ['workspace', 'uploads', 'outputs']],
] as const) {
  test(`${raw} shows the way`, () => {
    const place = locate(view, raw)
    assert.equal(place.root === null ? [...place.names] : null, names)
  })
}

const refused: readonly unknown[] = [
  ...['/', '//', '', '   ', '/etc/passwd', '//etc/passwd', '/mnt/user-data2', '/mnt/user-data/other', '/mnt/x', '/mn'],
  ...[`${WORK}-evil/x`, '/mnt/user-dataX/workspace/a', '/mnt/projects', '/MNT/user-data/workspace/a'],
  ...[
    '..',
    '../x',
    'a/../../x',
    '../uploads/../x',
    '../../user-data/uploads/x',
    '../../mnt/project',
    `${WORK}/..`,
    `${WORK}/../uploads/x`,
    `${WORK}/../../../../etc/passwd`,
  ],
  ...['/mnt/../etc/passwd', '/mnt/user-data/../../etc', '/etc/../mnt/user-data/workspace/a', '/mnt/project/inner/../a'],
  ...[
    '..\\..\\etc',
    `${WORK}\\..\\x`,
    `${WORK}/a\\..\\..\\x`,
    `${WORK}/..\\x`,
    'C:\\Windows\\win.ini',
    'c:/x',
    '\\\\server\\x',
  ],
  ...[
    'file:///etc/passwd',
    'https://a.test/b',
    '~',
    '~/.ssh/id_rsa',
    '~root/x',
    '$HOME/.bashrc',
    `\${HOME}/x`,
    '$TMPDIR',
  ],
  ...[`${WORK}/a\0.txt`, `${WORK}/\ud800`, `${WORK}/${'a'.repeat(4100)}`],
  ...[undefined, null, 7, true, {}, ['a'], { toString: () => WORK }, new String(WORK)],
]

for (const raw of refused) {
  test(`${typeof raw === 'string' ? JSON.stringify(raw.slice(0, 60)) : String(raw)} is refused`, () => {
    assert.throws(
      () => locate(view, raw),
      (error: Error & { code: string }) => error.code === 'DENIED' && !error.message.includes('/host'),
    )
  })
}

test.run()
