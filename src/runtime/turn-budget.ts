/** The time that one turn of the event loop may give to what all agent threads have said. */
export interface TurnBudget {
  isSpent(): boolean
}

/** Milliseconds of one turn: three hundred leads that delegate at once must not hold up whoever shares this loop. */
const BUDGET_MS = 2

/** A turn begins with the first look at the budget, and ends once the loop has polled for what else there is. */
export const createTurnBudget = (): TurnBudget => {
  let until = 0
  let counting = false
  const renew = (): void => {
    counting = false
  }
  return {
    isSpent() {
      if (counting) return performance.now() >= until
      counting = true
      until = performance.now() + BUDGET_MS
      setImmediate(renew)
      return false
    },
  }
}
