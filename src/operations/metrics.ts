import { Cause, Effect, Exit, Option } from "effect"
import type { Assessment } from "../screening/risk-scorer.ts"
import type { TokenRef } from "../domain/token.ts"
import type { OperationId } from "../domain/catalog.ts"
import { labelledCounter } from "../domain/labelled-counter.ts"

/**
 * Paid calls by `network`, `operation` and `outcome`: `sold`, or the tag of the error in words of its own
 * (`refused`: the payment does not pay for this; `unresolved`: settlement is under way or unknown; `unavailable`: it
 * could not be checked; `limited`: the payer has to wait; `unknown_token`: no pools of it
 * exist, so nothing charged; `no_result`: a source was down, so nothing charged; `stopped`: the caller left).
 */
const sales = labelledCounter("token_risk_sales_total", "Paid calls by network, operation and outcome", [
  "network",
  "operation",
  "outcome"
])

const freeCalls = labelledCounter("token_risk_free_calls_total", "Calls on the free tier, by outcome", [
  "outcome"
])

const screenings = labelledCounter(
  "token_risk_screenings_total",
  "Screenings by chain, operation and cache hit",
  ["chain", "operation", "cache"]
)

const verdicts = labelledCounter("token_risk_verdicts_total", "Verdicts by chain", ["chain", "verdict"])

const OUTCOMES: Readonly<Record<string, string>> = {
  PaymentRejected: "refused",
  PaymentUnresolved: "unresolved",
  PayerMustWait: "limited",
  PaymentConflict: "refused",
  PaymentUnavailable: "unavailable",
  UnknownToken: "unknown_token",
  ScreeningUnavailable: "no_result",
  UpstreamError: "unavailable"
}

const outcomeOf = <E extends { readonly _tag: string }>(
  exit: Exit.Exit<unknown, E>,
  success: string
): string => {
  if (Exit.isSuccess(exit)) return success
  return Option.match(Cause.failureOption(exit.cause), {
    onNone: () => (Cause.isInterruptedOnly(exit.cause) ? "stopped" : "failed"),
    onSome: ({ _tag }) => OUTCOMES[_tag] ?? "failed"
  })
}

interface SaleLabels {
  readonly network: string
  readonly operation: OperationId
}

/** Payments remembered that were not answered, or sold; the one that is longest ago is forgotten first. */
const MAX_REMEMBERED = 10_000

/**
 * `open`: its caller left, or was told that nothing is known yet. Its settlement goes on without a caller, and only a
 * repeated delivery shows that it was sold. `sold`: it was counted, and whoever hangs up at a repeated delivery opens
 * nothing again.
 */
const remembered = new Map<string, "open" | "sold">()

const remember = (key: string, as: "open" | "sold"): void => {
  remembered.delete(key)
  remembered.set(key, as)
  const oldest = remembered.size > MAX_REMEMBERED ? remembered.keys().next().value : undefined
  if (oldest !== undefined) remembered.delete(oldest)
}

/** How a caller is answered whose sale may go on without them. */
const GOES_ON: ReadonlySet<string> = new Set(["unresolved", "stopped"])

interface CountedSale extends SaleLabels {
  readonly authorizationKey: string
}

/** Counts a sale by how it ends; what it earned the ledger counts. */
export const countSale =
  ({ authorizationKey, network, operation }: CountedSale) =>
  <A extends { readonly replayed: boolean }, E extends { readonly _tag: string }, R>(
    sale: Effect.Effect<A, E, R>
  ): Effect.Effect<A, E, R> =>
    Effect.onExit(sale, (exit) =>
      Effect.sync(() => {
        const before = remembered.get(authorizationKey)
        const isNew = Exit.isSuccess(exit) && (before === "open" || !exit.value.replayed)
        const outcome = outcomeOf(exit, isNew ? "sold" : "replayed")
        if (GOES_ON.has(outcome) && before !== "sold") remember(authorizationKey, "open")
        sales.count({ network, operation, outcome })
        if (isNew) remember(authorizationKey, "sold")
      })
    )

/** Counts a free call that came to this. */
export const countFreeCallAs = (outcome: "served" | "stopped"): void => freeCalls.count({ outcome })

/** Counts a free call by how it ends. */
export const countFreeCall = <A, E extends { readonly _tag: string }, R>(
  call: Effect.Effect<A, E, R>
): Effect.Effect<A, E, R> =>
  Effect.onExit(call, (exit) => freeCalls.add({ outcome: outcomeOf(exit, "served") }))

/** What is counted of a screening: its chain, what it was done for, and what it concluded. */
export interface CountedScreening {
  readonly operation: OperationId
  readonly chain: TokenRef["chain"]
  readonly cacheHit: boolean
  readonly verdict: Assessment["verdict"]
}

/** Counts one screening and its verdict, outside of any fiber. */
export const countScreeningOf = ({ cacheHit, chain, operation, verdict }: CountedScreening): void => {
  screenings.count({ chain, operation, cache: cacheHit ? "hit" : "miss" })
  verdicts.count({ chain, verdict })
}

/** Counts one screening and what it concluded. */
export const countScreening = (
  operation: OperationId,
  { chain }: TokenRef,
  cacheHit: boolean,
  { verdict }: Assessment
): Effect.Effect<void> => Effect.sync(() => countScreeningOf({ operation, chain, cacheHit, verdict }))
