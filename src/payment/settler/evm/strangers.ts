import { Clock, Effect } from "effect"
import type { Address } from "./journal.ts"

/** Milliseconds for which a used nonce may be without a receipt: two nodes behind one name need not see the same block. */
const DOUBTFUL = 5_000
/** Milliseconds in which a key's line is logged once. */
const SILENCE = 600_000

/** Notices nonces of a key that others use: another service with a ledger of its own, or an operator by hand. */
export const makeStrangers = (address: Address) => {
  const usedSince = new Map<number, number>()
  let toldAt = Number.NEGATIVE_INFINITY

  /** A nonce is used, and not by a transaction of this ledger. */
  const tell = Effect.fnUntraced(function* (nonce: number) {
    const now = yield* Clock.currentTimeMillis
    if (Math.abs(now - toldAt) < SILENCE) return
    toldAt = now
    yield* Effect.logWarning(
      "the settling key is used from elsewhere too: its payments wait for each other. One key belongs to one ledger",
      { address, nonce }
    )
  })

  return {
    tell,
    /** A nonce is used, and no transaction of ours is seen at it: said once that lasts. */
    doubt: Effect.fnUntraced(function* (nonce: number) {
      const now = yield* Clock.currentTimeMillis
      const since = usedSince.get(nonce) ?? now
      usedSince.set(nonce, since)
      if (now - since >= DOUBTFUL) yield* tell(nonce)
    }),
    /** It is known by whom the nonce is used. */
    settle: (nonce: number) => void usedSince.delete(nonce)
  }
}

export type Strangers = ReturnType<typeof makeStrangers>
