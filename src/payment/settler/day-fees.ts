import { Duration, Effect } from "effect"
import { cached } from "../../domain/cached.ts"
import type { UpstreamError } from "../../domain/errors.ts"
import type { GiveBack, Verify } from "../verifier/payment-verifier.ts"
import type { SettlerSettings } from "./settings.ts"

const AGE = Duration.seconds(5)

/**
 * What the day's fees have room for. They are read now and then; until they are read again everything counts that this
 * process may have added: what payments under way may come to cost is set aside before anything is begun with them, and
 * counts on when they have ended, for it may have been written down. What other processes added counts once it is read.
 * @param spentToday millionths of a USD
 */
export const makeDayFees = Effect.fnUntraced(function* (
  spentToday: Effect.Effect<bigint, UpstreamError>,
  { dailyFees }: Pick<SettlerSettings, "dailyFees">
) {
  let [spent, since, aside] = [0n, 0n, 0n]
  const underWay = new Map<string, GiveBack>()
  const reading = Effect.suspend(() => {
    const before = since
    // What is written down meanwhile may not be in what is read: it counts until the next time.
    return Effect.tap(spentToday, (read) => {
      spent = read
      since -= before
    })
  })
  const read = yield* cached(reading, AGE)
  const hasRoom = (fee: bigint): boolean => spent + since + aside + fee <= dailyFees

  /** At once; `undefined` where there is no room for it. */
  const setAside = (authorizationKey: string, fee: bigint): GiveBack | undefined => {
    if (!hasRoom(fee)) return undefined
    let isOver = false
    const giveBack = (): void => {
      if (isOver) return
      isOver = true
      aside -= fee
      since += fee
      underWay.delete(authorizationKey)
    }
    aside += fee
    underWay.set(authorizationKey, giveBack)
    return giveBack
  }

  return {
    /** Whether there is room for a fee now, millionths of a USD. */
    allow: (fee: bigint): Effect.Effect<boolean, UpstreamError> => Effect.map(read, () => hasRoom(fee)),
    setAside,
    /** Counts what was written down of a payment, in the place of what was set aside for it. */
    wrote: (authorizationKey: string, fee: bigint): void => {
      const giveBack = underWay.get(authorizationKey)
      if (giveBack === undefined) since += fee
      else giveBack()
    },
    /** Verifies, and says how the fee of what was verified is set aside. */
    settingAside:
      (verify: Verify): Verify =>
      (...asked) =>
        Effect.map(verify(...asked), (onChain) => {
          const [{ payment }] = asked
          const { fee } = onChain
          if (fee === undefined) return onChain
          return { ...onChain, setAside: () => setAside(payment.authorizationKey, fee) }
        })
  }
})
