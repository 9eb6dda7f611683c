const BURN_MS = 20
const passage = 'The material names three causes and two effects, and gives a source for each of them. '

/** What a quick tool gives back: some 300 characters. */
const lookup = (query) => `About ${query}: ${passage.repeat(3)}`

/** The same after 20 ms of computing without a pause. */
function burn(query) {
  const until = performance.now() + BURN_MS
  let sum = 0
  while (performance.now() < until) for (let i = 0; i < 1000; i++) sum += Math.sqrt(i)
  return `${lookup(query)} (${sum > 0})`
}

/** Never comes back. */
function spin(query) {
  for (let i = 0; ; i++) if (Number.isNaN(i)) return lookup(query)
}

/** The tools by name. */
export const works = { lookup, burn, spin }
