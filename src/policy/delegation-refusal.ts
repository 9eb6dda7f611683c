import type { DelegationPolicy } from '../contract/envelopes.ts'
import { promptLine } from './escape.ts'

/** Why a type of subagent cannot be started, or `null` if it can. Source: contract/runtime §1.2, to the letter. */
export const refusalOfType = (
  type: string,
  { types, unavailable }: Pick<DelegationPolicy, 'types' | 'unavailable'>,
): string | null => {
  if (types.includes(type)) return null
  const known = unavailable.find(({ name }) => name === type)
  return known?.reason ?? `Unknown subagent type '${type}'. Available: ${types.join(', ')}`
}

/** The type that is meant: a model may well repeat a name in the form in which its prompt showed it. */
export const typeNamed = (type: string, { types }: Pick<DelegationPolicy, 'types'>): string =>
  types.includes(type) ? type : (types.find((name) => promptLine(name) === type) ?? type)
