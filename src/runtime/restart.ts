import { problem } from '../config/checks/tree.ts'
import type { Config } from '../config/config.ts'
import { variableOf } from '../config/env.ts'
import type { Problem } from '../contract/errors.ts'

/** The variables that hold the keys of models. */
export const keyVariables = ({ models }: Config): readonly string[] =>
  models.flatMap(({ api_key: key }) => (key === null ? [] : (variableOf(key) ?? [])))

/** What of an edited config cannot take effect in a runtime that was started with another. */
export const waitsForRestart = (started: Config, edited: Config): readonly Problem[] => {
  const sizes = (Object.keys(edited.runtime) as (keyof Config['runtime'])[])
    .filter((key) => edited.runtime[key] !== started.runtime[key])
    .map((key) => problem('warning', `runtime.${key}`, 'restart', 'takes effect after a restart'))
  const hidden = new Set(keyVariables(started))
  const keys = edited.models.flatMap(({ api_key: key }, index) => {
    const name = key === null ? null : variableOf(key)
    return name === null || hidden.has(name)
      ? []
      : [problem('warning', `models.${index}.api_key`, 'restart', `is hidden from tools after a restart: ${name}`)]
  })
  return [...sizes, ...keys]
}
