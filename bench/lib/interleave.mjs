import { isBuilt, isTroupe } from './contestants.mjs'

const reason = (error) =>
  String(error?.message ?? error)
    .split('\n')[0]
    .slice(0, 200)

/** A contestant by its name, or a variant of one: `{ name, contestant, work }`. */
const toEntry = (entry) => (typeof entry === 'string' ? { name: entry, contestant: entry, work: {} } : entry)

/**
 * Runs A B C, A B C, …: `once(entry, keep)` measures one and gives its figures, or keeps several as they come. One that
 * fails is left out from there on, and said.
 */
export async function interleave({ rounds, only, progress, problem, isStopped }, entries, once) {
  const isWanted = ({ contestant }) => only.length === 0 || contestant === undefined || only.includes(contestant)
  const isAble = ({ contestant }) => isBuilt() || contestant === undefined || !isTroupe(contestant)
  const left = new Set(entries.map(toEntry).filter((entry) => isWanted(entry) && isAble(entry)))
  const data = []
  const steps = progress([...left].map(({ name }) => name), rounds)
  for (let round = 1; round <= rounds; round++) {
    for (const entry of left) {
      if (isStopped()) return data
      const { name } = entry
      const keep = (figures) => data.push({ name, round, ...figures })
      const done = steps.begin(name, round)
      try {
        const figures = await once(entry, keep, round)
        if (figures) keep(figures)
      } catch (error) {
        if (isStopped()) return data
        problem(`${name}, round ${round}`, error)
        keep({ failed: reason(error) })
        left.delete(entry)
      } finally {
        done()
      }
    }
  }
  return data
}
