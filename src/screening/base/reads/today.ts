import { Clock, Effect } from "effect"
import { UpstreamError } from "../../../domain/errors.ts"

/** Milliseconds by which the newest block may be behind our clock: the chain makes one in two seconds, and has stood still. */
const MOST_BEHIND = 1_800_000

/**
 * Fails where the node shows a past: what it says of liquidity and owners may be long over. A chain that somebody started
 * to try things on (`isDevelopment`) has a time of its own.
 */
export const requireToday = (
  blockTime: bigint,
  isDevelopment: Effect.Effect<boolean>
): Effect.Effect<void, UpstreamError> =>
  Effect.gen(function* () {
    if (Number(blockTime) * 1_000 >= (yield* Clock.currentTimeMillis) - MOST_BEHIND) return
    if (yield* isDevelopment) return
    return yield* new UpstreamError({ upstream: "base-rpc", kind: "malformed", detail: "shows a past" })
  })
