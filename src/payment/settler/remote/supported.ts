import { Duration, Effect } from "effect"
import { isSolanaAddress } from "../../../domain/address.ts"
import { BASE_NETWORK, SOLANA_NETWORK } from "../../../domain/chain.ts"
import type { Facilitator } from "./facilitator.ts"

/** A start waits this long for a facilitator, and goes on without it. */
const PATIENCE = Duration.seconds(5)
const REFRESH = Duration.minutes(5)
/** While it has never answered, or no longer settles on Solana. */
const RETRY = Duration.seconds(5)

type Kinds = Effect.Effect.Success<Facilitator["supported"]>["kinds"]

/** Every way in which a facilitator names Base: by its number, by a pattern, or as version 1 did. */
const BASE_NAMES: ReadonlySet<string> = new Set([BASE_NETWORK, "eip155:*", "base"])

/**
 * Whether a facilitator settles on Base, as far as it says. One that names other networks only would refuse every payment
 * there.
 */
const leavesBaseOut = (kinds: Kinds): boolean =>
  kinds.length > 0 && !kinds.some(({ network, scheme }) => scheme === "exact" && BASE_NAMES.has(network))

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
 * Asks a facilitator what it settles, at start and again every few minutes; sooner while it has said nothing that can be
 * sold by.
 */
const ask = Effect.fnUntraced(function* (
  { supported }: Pick<Facilitator, "supported">,
  hear: (kinds: Kinds) => Effect.Effect<boolean>
) {
  let isGood = false
  const once = supported.pipe(
    Effect.flatMap(({ kinds }) => hear(kinds)),
    Effect.map((good) => {
      isGood = good
    }),
    Effect.catchAll(({ detail, kind }) =>
      Effect.logWarning("the facilitator does not answer /supported", kind, detail)
    )
  )
  yield* Effect.timeoutOption(once, PATIENCE)
  yield* Effect.forkScoped(Effect.forever(Effect.suspend(() => Effect.delay(once, isGood ? REFRESH : RETRY))))
})

/**
 * What a Solana challenge must say: the account with which the facilitator pays the fees, as it says now. Asked at
 * start and again every few minutes. `undefined` until it has answered, and while it does not settle on Solana; where a
 * facilitator only stops answering, its last answer holds. The same object as long as it says the same.
 */
export const watchFeePayer = Effect.fnUntraced(function* (facilitator: Pick<Facilitator, "supported">) {
  let current: { readonly feePayer: string } | undefined
  yield* ask(facilitator, (kinds) =>
    Effect.sync(() => {
      const feePayer = feePayerIn(kinds)
      if (feePayer !== current?.feePayer) current = feePayer === undefined ? undefined : { feePayer }
      return current !== undefined
    })
  )
  return () => current
})

/**
 * Whether Base can be settled on: not while the facilitator says that it settles elsewhere only, which the operator is
 * told. One that has not answered yet is asked for payments all the same.
 */
export const watchBase = Effect.fnUntraced(function* (facilitator: Pick<Facilitator, "supported">) {
  let settles = true
  yield* ask(facilitator, (kinds) => {
    const before = settles
    settles = !leavesBaseOut(kinds)
    return before && !settles
      ? Effect.as(
          Effect.logError(
            "the facilitator at FACILITATOR_URL does not settle on Base: nothing is sold there"
          ),
          settles
        )
      : Effect.succeed(settles)
  })
  return () => settles
})
