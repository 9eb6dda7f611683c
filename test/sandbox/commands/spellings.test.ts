import { test } from 'uvu'
import * as assert from 'uvu/assert'
import { createTranslator } from '../../../src/sandbox/commands/spellings.ts'

const HOME = '/home/u/.troupe'
const DATA = `${HOME}/threads/t/user-data`

const { toHost, toVirtual } = createTranslator([
  ...['workspace', 'uploads', 'outputs'].map((name) => ({
    virtual: `/mnt/user-data/${name}`,
    host: `${DATA}/${name}`,
    shown: [`${DATA}/${name}`, `/private${DATA}/${name}`],
    unmistakable: true,
  })),
  { virtual: '/mnt/user-data', host: DATA, shown: [DATA, `/private${DATA}`], unmistakable: true },
  { virtual: '[home]', host: null, shown: [HOME, `/private${HOME}`], unmistakable: true },
  { virtual: '/mnt/data', host: '/srv/data', shown: ['/srv/data'], unmistakable: false },
  { virtual: '/mnt/data/deep', host: '/var/x+y (z)', shown: ['/var/x+y (z)'], unmistakable: false },
  { virtual: '/mnt/all', host: '/', shown: ['/'], unmistakable: false },
])
const W = `${DATA}/workspace`

const commands: readonly (readonly [command: string, host: string])[] = [
  ['cat /mnt/user-data/workspace/a.txt', `cat ${W}/a.txt`],
  ['/mnt/user-data/workspace/run.sh', `${W}/run.sh`],
  ['cd /mnt/user-data/workspace', `cd ${W}`],
  ['cd /mnt/user-data/workspace;ls', `cd ${W};ls`],
  ['ls /mnt/user-data', `ls ${DATA}`],
  ['ls /mnt/user-data/', `ls ${DATA}/`],
  ['ls /mnt/user-data/{workspace,outputs}', `ls ${DATA}/{workspace,outputs}`],
  ['ls /mnt/user-data/w*', `ls ${DATA}/w*`],
  ['grep \'x\' "/mnt/user-data/uploads/a b"', `grep 'x' "${DATA}/uploads/a b"`],
  ['python3 -c \'open("/mnt/user-data/outputs/r")\'', `python3 -c 'open("${DATA}/outputs/r")'`],
  ['PATH=/mnt/data/bin:/mnt/user-data/workspace:$PATH x', `PATH=/srv/data/bin:${W}:$PATH x`],
  ['cc -I/mnt/data/include -o/mnt/user-data/outputs/a', `cc -I/srv/data/include -o${DATA}/outputs/a`],
  ['x --prefix=/mnt/data', 'x --prefix=/srv/data'],
  ['curl file:///mnt/user-data/uploads/a -d @/mnt/data/b', `curl file://${DATA}/uploads/a -d @/srv/data/b`],
  [`echo \${x:-/mnt/data}`, `echo \${x:-/srv/data}`],
  ['x >/mnt/data/log 2>/mnt/data/err&', 'x >/srv/data/log 2>/srv/data/err&'],
  ['echo saved to /mnt/user-data/outputs.', `echo saved to ${DATA}/outputs.`],
  ['ls /mnt/data/deep/er /mnt/data/deeper', 'ls /var/x+y (z)/er /srv/data/deeper'],
  ['cat /mnt/all/etc/hosts', 'cat //etc/hosts'],
  // Other names.
  ['ls /mnt/data-x /mnt/data.bak /mnt/datä /mnt/data_2', 'ls /mnt/data-x /mnt/data.bak /mnt/datä /mnt/data_2'],
  ['ls /mnt/user-dataX/workspace', 'ls /mnt/user-dataX/workspace'],
  ['ls /mnt/user-data/workspace-evil', `ls ${DATA}/workspace-evil`],
  // Within other paths.
  ['ls workspace/mnt/data', 'ls workspace/mnt/data'],
  ['ls /mnt/user-data/workspace/mnt/user-data/workspace/n', `ls ${W}/mnt/user-data/workspace/n`],
  ['ls ./mnt/data ~/mnt/data //mnt/data', 'ls ./mnt/data ~/mnt/data //mnt/data'],
  [
    `ls $HOME/mnt/data \${HOME}/mnt/data $(pwd)/mnt/data */mnt/data`,
    `ls $HOME/mnt/data \${HOME}/mnt/data $(pwd)/mnt/data */mnt/data`,
  ],
  ['curl https://x.test/mnt/data', 'curl https://x.test/mnt/data'],
  ['echo hello', 'echo hello'],
]

for (const [command, host] of commands) {
  test(`the command ${command}`, () => assert.is(toHost(command), host))
}

const outputs: readonly (readonly [output: string, virtual: string])[] = [
  [`${W}\n`, '/mnt/user-data/workspace\n'],
  [`/private${W}/a`, '/mnt/user-data/workspace/a'],
  [`cat: ${W}/none: No such file`, 'cat: /mnt/user-data/workspace/none: No such file'],
  [`in ${DATA}/outputs.`, 'in /mnt/user-data/outputs.'],
  [`PWD=${W} OLDPWD=${DATA}`, 'PWD=/mnt/user-data/workspace OLDPWD=/mnt/user-data'],
  [`${W}-evil/x`, '/mnt/user-data/workspace-evil/x'],
  [`${HOME}/threads/other`, '[home]/threads/other'],
  [`${HOME}-old/x`, `${HOME}-old/x`],
  [
    `file://${W}/a -I${W}/i x${W}`,
    'file:///mnt/user-data/workspace/a -I/mnt/user-data/workspace/i x/mnt/user-data/workspace',
  ],
  ['/srv/data/a /srv/database /x/srv/data/b', '/mnt/data/a /srv/database /x/srv/data/b'],
  ['/var/x+y (z)/er', '/mnt/data/deep/er'],
  ['/ /etc/hosts', '/ /etc/hosts'],
]

for (const [output, virtual] of outputs) {
  test(`the output ${output.trim()}`, () => assert.is(toVirtual(output), virtual))
}

test('a large output takes no time', () => {
  const text = `${'x'.repeat(100)} ${W}/a\n`.repeat(20_000)
  const start = performance.now()
  assert.is(toVirtual(text).length, text.length - (W.length - '/mnt/user-data/workspace'.length) * 20_000)
  assert.ok(performance.now() - start < 1000)
})

test.run()
