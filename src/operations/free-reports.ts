import { Effect, Option } from "effect"
import type { FailureBudget } from "../free-tier/failure-budget.ts"
import type { FreeCaller, FreeTierStore } from "../free-tier/free-tier-store.ts"
import { countFreeCallAs, countScreeningOf } from "./metrics.ts"
import type { FreeReports, KnownCall } from "./operations.ts"
import type { ScreeningWork } from "./screening-work.ts"

interface Parts {
  readonly freeTier: FreeTierStore["Type"]
  readonly failures: FailureBudget["Type"]
  readonly work: ScreeningWork
}

/** Free calls that need no work: their reports are known, and only their callers are counted. */
export const makeFreeReports = ({ failures, freeTier, work }: Parts): FreeReports => {
  /** As for a call that was screened: who hangs up has not had it, and an address that always does has to wait. */
  const abandon = (reservation: string, { ip }: FreeCaller) =>
    Effect.zipRight(failures.spend(ip), Effect.ignoreLogged(freeTier.release(reservation)))

  const end = ({ caller, deliver, refuse, report }: KnownCall, reservation: Option.Option<string>) =>
    Effect.suspend(() => {
      if (Option.isNone(reservation)) {
        refuse()
        return Effect.void
      }
      const isDelivered = deliver()
      countFreeCallAs(isDelivered ? "served" : "stopped")
      if (!isDelivered) return abandon(reservation.value, caller)
      countScreeningOf(report)
      return Effect.void
    })

  return {
    find: (operation, token, address, now) =>
      operation === "check_token_risk_deep" && failures.waitAt(address, now) === 0
        ? work.knownFree(token, now)
        : undefined,
    give: (calls) =>
      freeTier.reserveAll(calls.map(({ caller }) => caller)).pipe(
        Effect.flatMap((reservations) =>
          Effect.forEach(calls, (call, at) => end(call, reservations[at] ?? Option.none()), { discard: true })
        ),
        Effect.uninterruptible
      )
  }
}
