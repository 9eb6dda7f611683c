const minutes = (ms) => (ms < 60_000 ? `${Math.ceil(ms / 1000)} s` : `${Math.ceil(ms / 60_000)} min`)

/**
 * Says on stderr what is measured now and how long it will take: by what each contestant took in the rounds before, and
 * for questions to come by what they took on two quiet cores.
 */
export function progressOf(say, question, minutesAfter) {
  return (names, rounds) => {
    const took = new Map(names.map((name) => [name, []]))
    const mean = (name) => took.get(name).reduce((a, b) => a + b, 0) / took.get(name).length
    const remaining = (round, at) => {
      const unknown = names.some((name) => took.get(name).length === 0)
      if (unknown) return ''
      const here = names.map((name, i) => mean(name) * (rounds - round + (i >= at ? 1 : 0))).reduce((a, b) => a + b, 0)
      return `, about ${minutes(here + minutesAfter * 60_000)} left`
    }
    return {
      begin(name, round) {
        const begun = performance.now()
        say(`${question}: round ${round} of ${rounds}, ${name}${remaining(round, names.indexOf(name))}`)
        return () => took.get(name).push(performance.now() - begun)
      },
    }
  }
}
