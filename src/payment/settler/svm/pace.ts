import { Effect } from "effect"
import { withNow } from "../../../domain/now.ts"

/**
 * Milliseconds after which a transfer that was just sent is looked for at the latest: some nodes make a block of it at
 * once. Where it was there, the next one is looked for a little sooner; where not, as much later, but never later than this.
 */
const SOON = 15
const SOONEST = 1
const STEP = 1.25
/** Milliseconds between two looks, and between two of those that come after so many. */
const OFTEN = 250
const SELDOM = 500
const LOOKS = 8

/** When whoever waits for a transfer looks for it. */
export const makePace = () => {
  let soon = SOON
  /** The next of the moments at which all look that wait so: together they ask one question. */
  const nextOf = (every: number) => withNow((now) => Effect.sleep(every - (now % every)))
  return {
    untilLook: (looks: number): Effect.Effect<void> =>
      looks === 0 ? Effect.sleep(soon) : nextOf(looks < LOOKS ? OFTEN : SELDOM),
    /** Learns from a first look. */
    learn: (isSeen: boolean): void => {
      soon = isSeen ? Math.max(SOONEST, soon / STEP) : Math.min(SOON, soon * STEP)
    }
  }
}

export type Pace = ReturnType<typeof makePace>
