import type { Config } from '../config/config.ts'
import { resolveReference, variableOf } from '../config/env.ts'
import { milliseconds } from '../config/settings.ts'
import type { Log } from '../contract/api.ts'
import type { CommandSettings, ModelSettings } from '../contract/settings.ts'
import { hostBashAllowed } from '../policy/bash-gate.ts'
import { commandEnvironment } from '../policy/command-environment.ts'
import { isSecretName, maskable, secretsIn } from '../policy/secrets.ts'

type Env = Readonly<Record<string, string | undefined>>

/** For output that is read as UTF-8, where the environment names no language. */
const UTF8 = process.platform === 'darwin' ? 'en_US.UTF-8' : 'C.UTF-8'

interface Granted {
  readonly env: Readonly<Record<string, string>>
  /** Those of its values that are secrets: looked up, or of a variable that is called so. */
  readonly secrets: readonly string[]
}

/** What `sandbox.env` hands to commands. A variable that is not set is left out. */
const grantedBy = ({ sandbox }: Config, env: Env, log: Log): Granted => {
  const granted: Record<string, string> = {}
  const secrets: string[] = []
  for (const [name, written] of Object.entries(sandbox.env)) {
    const found = resolveReference(written, env)
    if ('unset' in found) {
      log('warn', `the environment variable ${found.unset} is not set: commands run without it`, {
        path: `sandbox.env.${name}`,
      })
      continue
    }
    granted[name] = found.value
    if (variableOf(written) !== null || isSecretName(name)) secrets.push(found.value)
  }
  return { env: granted, secrets }
}

/** How commands run under a config; `null` where they do not. */
export const toCommandSettings = (
  config: Config,
  env: Env,
  models: readonly ModelSettings[],
  runtime: Pick<CommandSettings, 'mark' | 'aliases'>,
  log: Log,
): CommandSettings | null => {
  if (!hostBashAllowed(config.sandbox)) return null
  const granted = grantedBy(config, env, log)
  const keys = models.flatMap(({ apiKey }) => apiKey ?? [])
  return {
    env: commandEnvironment({ LANG: UTF8, ...env }, granted.env),
    timeoutMs: milliseconds(config.sandbox.bash_timeout_seconds),
    secrets: maskable([...secretsIn(env), ...keys, ...granted.secrets]),
    ...runtime,
  }
}
