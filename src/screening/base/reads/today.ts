import { Clock, Effect } from "effect"
import { UpstreamError } from "../../../domain/errors.ts"
import { isPast } from "../../past.ts"

/** Fails where the node shows a past. A chain that somebody started to try things on (`isDevelopment`) has a time of its own. */
export const requireToday = (
  blockTime: bigint,
  isDevelopment: Effect.Effect<boolean>
): Effect.Effect<void, UpstreamError> =>
  Effect.gen(function* () {
    if (!isPast(Number(blockTime), yield* Clock.currentTimeMillis)) return
    if (yield* isDevelopment) return
    return yield* new UpstreamError({ upstream: "base-rpc", kind: "malformed", detail: "shows a past" })
  })
