import { Effect } from "effect"
import { sum } from "../../domain/bigint.ts"
import type { PaymentUnresolved } from "../../domain/errors.ts"
import type { GiveBack, OnChain } from "../verifier/payment-verifier.ts"
import type { VerifiedPayment } from "../verifier/verified-payment.ts"
import { again } from "./attempt.ts"

/**
 * Fails where what a payer holds does not pay for a payment and for those of his that came before it, or the day's fees do
 * not pay for sending it beside all that are under way.
 */
export type RequireRoom = (onChain: OnChain) => Effect.Effect<void, PaymentUnresolved>

/**
 * The payments under way in this process, by payer, in the order they came. Each is verified by itself, and the chain
 * would execute each: without this, a payer who holds the money of one could have any number of them sent, and all but
 * one would fail at our expense. One that came too late is neither refused nor sent: when those before it have ended,
 * the chain says what is left.
 */
export const makeUnderWay = () => {
  const amounts = new Map<string, Array<{ readonly amount: bigint }>>()

  const enter = ({ payer, requirements }: VerifiedPayment) => {
    const key = `${requirements.network} ${payer}`
    const line = amounts.get(key) ?? []
    const own = { amount: BigInt(requirements.amount) }
    line.push(own)
    amounts.set(key, line)
    let giveBack: GiveBack | undefined
    const requireRoom: RequireRoom = ({ held, setAside }) =>
      Effect.suspend(() => {
        const upToThis = line.slice(0, line.indexOf(own) + 1)
        const needed = sum(upToThis.map(({ amount }) => amount))
        if (held !== undefined && needed > held) return Effect.fail(again())
        giveBack = setAside?.()
        return setAside === undefined || giveBack !== undefined ? Effect.void : Effect.fail(again())
      })
    const leave = Effect.sync(() => {
      giveBack?.()
      line.splice(line.indexOf(own), 1)
      if (line.length === 0) amounts.delete(key)
    })
    return { leave, requireRoom }
  }

  /** Counts a payment among those under way until what is done with it has ended. */
  return <A, E, R>(
    verified: VerifiedPayment,
    use: (requireRoom: RequireRoom) => Effect.Effect<A, E, R>
  ): Effect.Effect<A, E, R> =>
    Effect.uninterruptibleMask((restore) =>
      Effect.suspend(() => {
        const { leave, requireRoom } = enter(verified)
        return Effect.ensuring(restore(use(requireRoom)), leave)
      })
    )
}
