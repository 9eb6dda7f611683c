import { readFileSync, writeFileSync, writeSync } from 'node:fs'
import { join } from 'node:path'
import type { ThreadEntry } from '../../src/contract/conversation.ts'
import { wait } from '../support/runtime-scene.ts'
import { ended, historyOf, logsIn } from '../support/thread-log.ts'

// Takes one conversation over and over, as one of many processes that all want it. Whoever has it counts on from what it
// finds there, and says how far it came once that is written. The parent may kill it at any time.
const [, , home = '', name = ''] = process.argv

const logs = logsIn(home)
const mark = join(home, 'who')

const lastCount = (history: string): number => {
  const last = history.trimEnd().split('\n').at(-1) ?? ''
  if (last === '') return 0
  const entry = JSON.parse(last) as ThreadEntry
  const message = 'message' in entry ? entry.message : entry.messages.at(-1)
  return Number(message?.content.split(' ', 1)[0])
}

const messageOf = (count: number) => ({ role: 'user', content: `${count} ${'x'.repeat(20_000)}` }) as const

for (let turn = 0; ; turn++) {
  const opened = await logs.open(`${name}-${turn}`)
  if (!opened) {
    await wait(Math.random() * 3)
    continue
  }
  writeFileSync(mark, `${name}-${turn}`)
  let count = lastCount(historyOf(opened))
  for (let i = 0; i < 3; i++) {
    const message = messageOf(++count)
    const entry: ThreadEntry = count % 20 === 0 ? { summary: 's', messages: [message] } : { message }
    opened.conversation.add(JSON.stringify(entry))
    await wait(Math.random() * 2)
  }
  const alone = readFileSync(mark, 'utf8') === `${name}-${turn}`
  await ended(opened)
  writeSync(1, `${JSON.stringify({ count, alone })}\n`)
}
