/** New connections in so many rounds of the event loop in a row, and more are taken to wait outside. */
const ROUNDS_IN_A_ROW = 2

/** Calls back when the event loop has gone round. */
export type Later = (step: () => void) => void

/**
 * Tells whether connections keep coming. The event loop takes one a round: where hundreds are opened at once, the last
 * of them waits as many rounds as there are before it, and each of those as long as what is done in it.
 */
export const makeArrivals = (later: Later = setImmediate) => {
  let arrived = false
  let inARow = 0

  const endRound = (): void => {
    inARow = arrived ? inARow + 1 : 0
    if (arrived) later(endRound)
    arrived = false
  }

  return {
    /** A connection was taken. */
    note: (): void => {
      if (!arrived && inARow === 0) later(endRound)
      arrived = true
    },
    keepComing: (): boolean => inARow >= ROUNDS_IN_A_ROW
  }
}

export type Arrivals = ReturnType<typeof makeArrivals>
