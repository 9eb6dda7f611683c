import { isBuilt, isTroupe } from './contestants.mjs'

const reasonOf = (error) =>
  String(error?.message ?? error)
    .split('\n')[0]
    .slice(0, 200)

/** A contestant by its name, or a variant of one: `{ name, contestant, work }`. */
const toEntry = (entry) => (typeof entry === 'string' ? { name: entry, contestant: entry, work: {} } : entry)

/** What stands for no contestant at all is always measured. */
const isAsked =
  (only) =>
  ({ contestant }) =>
    contestant === undefined ||
    ((only.length === 0 || only.includes(contestant)) && (isBuilt() || !isTroupe(contestant)))

/**
 * Runs A B C, A B C, …: `once(entry, keep)` measures one and gives its figures, or keeps several as they come. One that
 * fails is left out from there on, and said.
 */
export async function interleave({ rounds, only, progress, problem, isStopped }, entries, once) {
  const left = new Set(entries.map(toEntry).filter(isAsked(only)))
  const data = []
  const steps = progress(
    [...left].map(({ name }) => name),
    rounds,
  )

  const measure = async (entry, round) => {
    const { name } = entry
    const keep = (figures) => data.push({ name, round, ...figures })
    const done = steps.begin(name, round)
    try {
      const figures = await once(entry, keep, round)
      if (figures) keep(figures)
    } catch (error) {
      if (isStopped()) return
      problem(`${name}, round ${round}`, error)
      keep({ failed: reasonOf(error) })
      left.delete(entry)
    }
    done()
  }

  for (let round = 1; round <= rounds; round++) for (const entry of left) if (!isStopped()) await measure(entry, round)
  return data
}
