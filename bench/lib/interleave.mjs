import { isBuilt, isTroupe } from './contestants.mjs'

/** Runs A B C, A B C, …; a contestant that fails is left out from there on, and said. */
export async function interleave({ rounds, only, say, problem }, names, once) {
  const wanted = (name) => only.length === 0 || only.includes(name)
  const able = (name) => isBuilt() || !isTroupe(name)
  const left = new Set(names.filter((name) => wanted(name) && able(name)))
  const data = []
  for (let round = 1; round <= rounds; round++) {
    for (const name of left) {
      say(`round ${round} of ${rounds}: ${name}`)
      try {
        data.push({ name, round, ...(await once(name)) })
      } catch (error) {
        problem(`${name}, round ${round}`, error)
        left.delete(name)
      }
    }
  }
  return data
}
