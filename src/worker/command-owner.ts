import { commandMark, markVariable } from '../policy/command-environment.ts'
import type { CommandOwner } from '../sandbox/commands/owner.ts'
import { denied } from '../sandbox/refusal.ts'
import type { CommandContext } from '../tools/context.ts'
import type { Agent } from './agent.ts'

/** What of an agent's commands is still open on its thread. */
const open = new WeakMap<Agent, Set<() => void>>()

let lastKey = 0

const admit = ({ thread, envelope: { slot, generation } }: Agent, signal: AbortSignal): Promise<() => void> =>
  new Promise((resolve, reject) => {
    const key = ++lastKey
    const say = (what: 'asks' | 'leaves'): void => thread.post({ type: 'command', slot, generation, key, what })
    const leave = (): void => {
      thread.places.forget(key)
      say('leaves')
    }
    const stop = (): void => {
      leave()
      reject(signal.reason)
    }
    signal.addEventListener('abort', stop, { once: true })
    thread.places.expect(key, (has) => {
      signal.removeEventListener('abort', stop)
      if (has) resolve(leave)
      else reject(denied('The command was not run: too many commands of this run are waiting already'))
    })
    say('asks')
  })

const ownerFor = (agent: Agent): CommandOwner => {
  const { thread, envelope } = agent
  const { slot, generation } = envelope
  const say = (what: 'begun' | 'led' | 'stop', pid: number): void =>
    thread.post({ type: 'group', slot, generation, pid, what })
  return {
    admit: (signal) => admit(agent, signal),
    own(pid, start) {
      // The host answers once it watches the group: from then on nothing that the command starts can be left behind.
      thread.watched.expect(pid, start)
      say('begun', pid)
      return {
        stop: () => say('stop', pid),
        led: () => {
          thread.watched.forget(pid)
          say('led', pid)
        },
      }
    },
    atEnd(close) {
      if (agent.ended) {
        close()
        return () => {}
      }
      const all = open.get(agent) ?? new Set()
      open.set(agent, all.add(close))
      return () => void all.delete(close)
    },
    wrote(files) {
      for (const file of files) agent.files.add(file)
    },
  }
}

/** What the commands of an agent need; `undefined` where none may run. */
export const commandContextOf = (agent: Agent): CommandContext | undefined => {
  const { home, commands, output } = agent.toolbox.settings
  if (commands === null) return undefined
  const env = { ...commands.env, ...markVariable(commandMark(commands.mark, agent.envelope)) }
  return { ...commands, env, home, owner: ownerFor(agent), ownOutputs: output.storageSubdir }
}

/**
 * Sees what the commands of an ended agent have written so far, and lets go of the pipes that its background processes
 * may still hold.
 */
export const closeCommands = (agent: Agent): void => {
  for (const close of open.get(agent) ?? []) close()
  open.delete(agent)
}
