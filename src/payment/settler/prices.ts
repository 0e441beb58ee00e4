import { Clock, Duration, Effect } from "effect"
import type { Hex, PublicClient } from "viem"
import { isDevelopment } from "../../chain/development-node.ts"
import { SELECTORS } from "../../chain/selectors.ts"
import { cached } from "../../domain/cached.ts"
import { ETH_USD_FEED } from "../../domain/base-contracts.ts"
import type { SettlerSettings } from "./settings.ts"

/** Chainlink's SOL/USD on Base, 8 decimals. Source: data.chain.link, Base mainnet. */
const SOL_FEED = "0x975043adbb80fc32276cbf9bbcfd4a601a12462d"
/** Twice the feeds' heartbeat and an hour: older answers say nothing about now. */
const MAX_AGE_SECONDS = 6_000n
/** A feed that says less than this part of the assumed price is taken for wrong: it would make fees look small. */
const LEAST_PART = 20n

const word = (data: Hex, at: number): bigint => BigInt(`0x${data.slice(2 + at * 64, 66 + at * 64) || "0"}`)

const readFeed = async (client: PublicClient, feed: Hex, nowSeconds: bigint): Promise<bigint | "none"> => {
  const { data = "0x" } = await client.call({ to: feed, data: SELECTORS["latestRoundData()"] })
  if (data === "0x") return "none"
  const [answer, updatedAt] = [BigInt.asIntN(256, word(data, 1)), word(data, 3)]
  if (answer <= 0n || nowSeconds - updatedAt > MAX_AGE_SECONDS) throw new Error("the price feed is stale")
  // 8 decimals to 6, rounded up.
  return (answer + 99n) / 100n
}

/** Millionths of a USD. */
export type Price = Effect.Effect<bigint>

const priceBy = (client: PublicClient, feed: Hex, assumed: bigint): Effect.Effect<Price> =>
  Effect.gen(function* () {
    const now = BigInt(Math.floor((yield* Clock.currentTimeMillis) / 1_000))
    const answer = yield* Effect.tryPromise(() => readFeed(client, feed, now))
    if (answer !== "none") return answer > assumed / LEAST_PART ? answer : assumed
    // A development chain without a feed has no price at all; on a real chain without an answer the high assumed price
    // is taken.
    return (yield* Effect.tryPromise(() => isDevelopment(client))) ? 0n : assumed
  }).pipe(
    Effect.timeout("5 seconds"),
    Effect.catchAll((error) =>
      Effect.as(Effect.logWarning("no price feed answers; the assumed price is used", error._tag), assumed)
    ),
    (price) => cached(price, Duration.minutes(1))
  )

/**
 * Ether and SOL in USD, for the proportion of fees only: Chainlink's feeds on Base, and where one does not answer the
 * assumed price, which is high, so that a missing price never makes a fee look small.
 */
export const makePrices = (client: PublicClient, settings: SettlerSettings) =>
  Effect.all({
    ether: priceBy(client, ETH_USD_FEED, settings.etherAssumed),
    sol: priceBy(client, SOL_FEED, settings.solAssumed)
  })
