import { Effect, Option } from "effect"
import { OPERATIONS } from "../domain/catalog.ts"
import { FailureBudget } from "../free-tier/failure-budget.ts"
import type { FreeCaller } from "../free-tier/free-tier-store.ts"
import { FreeTierStore } from "../free-tier/free-tier-store.ts"
import type { ScreeningError } from "../screening/screener.ts"
import { countFreeCall } from "./metrics.ts"
import type { Answer, ScreeningRequest } from "./operations.ts"
import { FreeCallsPaused } from "./operations.ts"

/** A free call that was taken from a caller's and is given back unless it ends in an answer. */
interface Reservation {
  readonly id: string
  readonly address: string
}

/** The free tier as the operations use it. */
export const makeFreeCalls = Effect.gen(function* () {
  const freeTier = yield* FreeTierStore
  const failures = yield* FailureBudget

  const reserveFor = (caller: FreeCaller) =>
    Effect.map(
      freeTier.reserve(caller),
      Option.map((id): Reservation => ({ id, address: caller.ip }))
    )

  /**
   * A free call for this request, where its operation has any and its caller has some left. None beside a payment that was
   * begun for it: whoever was given a free answer for that one would be charged for it.
   */
  const reserve = Effect.fnUntraced(function* <E>(
    { caller, operation }: ScreeningRequest,
    isBegun: Effect.Effect<boolean, E>
  ) {
    if (!OPERATIONS[operation].hasFreeCalls || Option.isNone(caller)) return Option.none<Reservation>()
    return (yield* isBegun) ? Option.none<Reservation>() : yield* reserveFor(caller.value)
  })

  /**
   * A free call that does not end in an answer is not counted for its caller, also when it hangs up; it counts against
   * the address, whose next ones wait when there were too many.
   */
  const run = (screened: Effect.Effect<string, ScreeningError>, { address, id }: Reservation) =>
    Effect.flatMap(
      failures.wait(address),
      (retryAfterSeconds): Effect.Effect<string, ScreeningError | FreeCallsPaused> =>
        retryAfterSeconds > 0
          ? new FreeCallsPaused({ retryAfterSeconds })
          : Effect.onError(countFreeCall(screened), () => failures.spend(address))
    ).pipe(
      Effect.onError(() => Effect.ignoreLogged(freeTier.release(id))),
      Effect.map((body): Answer => ({ body, settlement: null }))
    )

  /** Whether the caller has a free call left, without keeping it. */
  const left = Effect.fn("Operations.hasFreeCall")(function* (caller: FreeCaller) {
    const reservation = yield* freeTier.reserve(caller)
    if (Option.isSome(reservation)) yield* freeTier.release(reservation.value)
    return Option.isSome(reservation)
  }, Effect.uninterruptible)

  return { reserve, run, left }
})
