import { createHash } from "node:crypto"
import { Clock, Effect, Option } from "effect"
import type { SolanaBalances } from "../../../chain/chain-rpc.ts"
import type { SolanaAddress } from "../../../domain/address.ts"
import { type Fact, known, missing } from "../../../domain/fact.ts"
import { CLOCK_SYSVAR, SOL_USDC_POOLS } from "../addresses.ts"
import { readMint } from "../power/mint.ts"
import { untried } from "../simulation/exit-facts.ts"
import { payerAccounts } from "../simulation/payers.ts"
import { CURVE_GLOBAL, SWAP_GLOBAL } from "../simulation/swaps/pump.ts"
import { factOf, leastSlot, notBehind, readInto, requireBorn, requireToday, slotAhead } from "./fetch.ts"
import { deriveAddresses } from "./pdas.ts"
import type { Reads, Upstreams } from "./reads.ts"

/** Longest account that is read whole: a mint with more extension bytes than this is not understood. */
const FIRST_SLICE = 16_384

/** Who bought since is in no list of a past. */
const largestOf = (listed: Fact<SolanaBalances>, slot: bigint): Reads["largest"] => {
  if (!listed.known) return listed
  return listed.value.slot < leastSlot(slot)
    ? missing("the node listed the holders of a past")
    : known(listed.value.balances)
}

/** The mint and everything with a derivable address, its largest holders and what others say beside it. */
const readFirst = Effect.fnUntraced(function* (up: Upstreams, mint: SolanaAddress) {
  const fetchedAt = yield* Clock.currentTimeMillis
  const derived = deriveAddresses(mint)
  const addresses = [
    mint,
    CLOCK_SYSVAR,
    derived.metadata,
    derived.curve,
    derived.moonshot,
    ...derived.launches,
    ...derived.curveVaults,
    ...derived.mayhemVaults,
    ...SOL_USDC_POOLS,
    CURVE_GLOBAL,
    SWAP_GLOBAL,
    ...payerAccounts(up.payers),
    ...derived.pools.flatMap(({ lpMint, pool, vaults }) => [pool, lpMint, ...vaults])
  ]
  const [{ book, slot }, market, rugCheck, solPairs, listed] = yield* Effect.all(
    [
      readInto(up, new Map(), addresses, FIRST_SLICE),
      factOf(up.pairs(mint), "market data did not answer"),
      factOf(Effect.map(up.rugReport(mint), Option.getOrNull), "RugCheck did not answer"),
      up.solPairs,
      factOf(up.rpc.getLargestTokenAccounts(mint), "the node gave no largest holders")
    ],
    { concurrency: "unbounded" }
  )
  const account = book.get(mint) ?? null
  const reads: Reads = {
    fetchedAt,
    slot,
    book,
    reading: readMint(account),
    accountHash: account === null ? null : createHash("sha256").update(account.data).digest("hex"),
    derived,
    market,
    solPairs,
    rugCheck,
    largest: largestOf(listed, slot),
    listedAt: listed.known ? listed.value.slot : 0n,
    candidates: [...derived.pools.map(({ pool }) => pool), derived.moonshot, ...derived.launches],
    lp: new Map(),
    coinHolders: new Map(),
    streams: new Map(),
    stakePool: null,
    exit: untried("nothing was tried")
  }
  return reads
})

/** First wave. Where it shows that the node is behind another one, it is made anew, by those that are not. */
export const firstWave = Effect.fn("SolanaPlan.firstWave")(function* (up: Upstreams, mint: SolanaAddress) {
  const reads = yield* readFirst(up, mint)
  const ahead = yield* slotAhead(up, reads, reads.fetchedAt)
  const newest = ahead === null ? reads : yield* readFirst(notBehind(up, ahead), mint)
  yield* requireToday(newest.book, newest.fetchedAt)
  yield* requireBorn(newest)
  return newest
})
