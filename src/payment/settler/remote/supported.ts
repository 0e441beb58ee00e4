import { Duration, Effect } from "effect"
import { isSolanaAddress } from "../../../domain/address.ts"
import { SOLANA_NETWORK } from "../../../domain/chain.ts"
import { tellingTrouble } from "../../../domain/trouble.ts"
import type { Facilitator } from "./facilitator.ts"

/** A start waits this long for a facilitator, and goes on without it. */
const PATIENCE = Duration.seconds(5)
const REFRESH = Duration.minutes(5)
/** While it has never answered, or no longer settles on Solana. */
const RETRY = Duration.seconds(5)

type Kinds = Effect.Effect.Success<Facilitator["supported"]>["kinds"]

/**
 * The facilitator's fee payer for exact payments on Solana, which every challenge for that network must name. What is no
 * address nobody can name.
 */
const feePayerIn = (kinds: Kinds): string | undefined => {
  const kind = kinds.find(
    ({ network, scheme, x402Version }) =>
      x402Version === 2 && scheme === "exact" && network === SOLANA_NETWORK
  )
  const feePayer = kind?.extra?.["feePayer"]
  return typeof feePayer === "string" && isSolanaAddress(feePayer) ? feePayer : undefined
}

/**
 * What a Solana challenge must say: the account with which the facilitator pays the fees, as it says now. Asked at
 * start and again every few minutes. `undefined` until it has answered, and while it does not settle on Solana; where a
 * facilitator only stops answering, its last answer holds. The same object as long as it says the same.
 */
export const watchFeePayer = Effect.fnUntraced(function* (facilitator: Pick<Facilitator, "supported">) {
  let current: { readonly feePayer: string } | undefined
  const remember = (feePayer: string | undefined) =>
    Effect.sync(() => {
      if (feePayer !== current?.feePayer) current = feePayer === undefined ? undefined : { feePayer }
    })
  const ask = facilitator.supported.pipe(
    Effect.flatMap(({ kinds }) => remember(feePayerIn(kinds))),
    tellingTrouble("asking the facilitator what it settles"),
    Effect.ignoreLogged
  )
  const again = Effect.suspend(() => Effect.delay(ask, current === undefined ? RETRY : REFRESH))
  yield* Effect.timeoutOption(ask, PATIENCE)
  yield* Effect.forkScoped(Effect.forever(again))
  return () => current
})
