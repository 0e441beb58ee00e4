/** What a report says where a piece of the evidence is missing. Every kind of evidence has its say. */
import { describe, expect, it } from "@effect/vitest"
import type { Fact } from "../../../src/domain/fact.ts"
import { known, missing } from "../../../src/domain/fact.ts"
import type { RugCheckReport } from "../../../src/market/market-data.ts"
import { USDC } from "../../../src/screening/solana/addresses.ts"
import type { SolanaEvidence } from "../../../src/screening/solana/evidence.ts"
import { NOTHING_KNOWN } from "../../../src/screening/solana/pools/lp-reading.ts"
import { unseasoned } from "../../../src/screening/solana/pools/seasoned.ts"
import type { PoolFact } from "../../../src/screening/solana/pools/pool-fact.ts"
import type { Exit, HolderFacts } from "../../../src/screening/solana/power/exits.ts"
import type { Mint } from "../../../src/screening/solana/power/mint.ts"
import { emptyReport, pairOf } from "../../support/solana/clean-token.ts"
import { POOL, clean, held, judge, mint, pool } from "../../support/solana/evidence.ts"

const most: Exit = { share: 0.9, priceAfter: 0.01 }

/** Evidence of which a piece is missing, and the signals that must say that they do not know. */
type Gap = readonly [evidence: SolanaEvidence, unknown: ReadonlyArray<string>]

/** `forbid`: no token may be called safe without it. `leave`: the rest may be proof enough. */
interface Gaps {
  readonly forbid?: Readonly<Record<string, Gap>>
  readonly leave?: Readonly<Record<string, Gap>>
}

const withMint = (change: Partial<Mint>): SolanaEvidence => ({
  ...clean,
  reading: { kind: "mint", mint: { ...mint, ...change } }
})
const rate = { epoch: 1n, maximumFee: 10n ** 15n, basisPoints: 300 }
const taxed = withMint({
  walk: {
    kind: "complete",
    extensions: {
      transferFee: { configAuthority: null, withdrawAuthority: null, withheld: 0n, older: rate, newer: rate }
    }
  }
})
const withPool = (change: Partial<PoolFact>): SolanaEvidence => ({
  ...clean,
  pools: [{ ...pool, ...change }]
})
const withHolders = (change: Partial<HolderFacts>): SolanaEvidence => ({
  ...clean,
  holders: known({ ...held, ...change })
})
const withReport = (change: Partial<RugCheckReport>): SolanaEvidence => ({
  ...clean,
  rugCheck: known({ ...emptyReport, ...change })
})
const withExit = (change: Partial<SolanaEvidence["exit"]>): SolanaEvidence => ({
  ...clean,
  exit: { ...clean.exit, ...change }
})
const unread: Fact<never> = missing("not read")

const MINT = ["MINT_AUTHORITY", "FREEZE_AUTHORITY", "UNKNOWN_EXTENSION"]
const EXTENSIONS = [
  "PERMANENT_DELEGATE",
  "DEFAULT_FROZEN",
  "NON_TRANSFERABLE",
  "PAUSED",
  "PAUSE_AUTHORITY",
  "TRANSFER_HOOK",
  "TRANSFER_HOOK_AUTHORITY",
  "HIDDEN_SUPPLY",
  "CONFIDENTIAL_TRANSFERS",
  "MINT_CLOSE_AUTHORITY",
  "PERMISSIONED_BURN",
  "DISPLAYED_AMOUNT",
  "TRANSFER_FEE",
  "HIGH_TRANSFER_FEE",
  "TRANSFER_FEE_AUTHORITY"
]
const HOLDERS = [
  "DOMINANT_HOLDER",
  "INSIDER_GROUP",
  "SPLIT_SUPPLY",
  "CLOSED_CIRCLE",
  "HOLDER_CONCENTRATION",
  "FROZEN_HOLDERS",
  "UNKNOWN_PROGRAM_HOLDS",
  "INSIDER_HOLDINGS"
]
const REPORT = ["RUGGED", "RUGCHECK_RISKS", "RUGCHECK_DISAGREES"]

/** One that is added does not compile before it is here. `{}`: it is always there, or follows from others. */
const gaps: Readonly<Record<keyof SolanaEvidence, Gaps>> = {
  address: {},
  slot: {},
  accountHash: {},
  fetchedAt: {},
  trusted: {
    forbid: {
      "whether a keeper has what backs it": [
        { ...clean, trusted: { symbol: "X", backing: "custodial", source: "its issuer" } },
        ["CUSTODIAL_ISSUER"]
      ]
    }
  },
  isStakePoolToken: {},
  epoch: {},
  pairs: {},
  lockDisputed: {},
  reading: {
    forbid: {
      "a mint": [
        { ...clean, reading: { kind: "unreadable" } },
        [...MINT, ...EXTENSIONS, "RUGCHECK_DISAGREES"]
      ],
      "what the mint's extensions are": [
        withMint({ walk: { kind: "malformed", extensions: {} } }),
        ["UNKNOWN_EXTENSION", ...EXTENSIONS]
      ],
      "what one extension does": [
        withMint({ walk: { kind: "unknown-type", type: 999, extensions: {} } }),
        ["UNKNOWN_EXTENSION"]
      ],
      "how new accounts start": [
        withMint({ walk: { kind: "complete", extensions: { defaultAccountState: 7 } } }),
        ["DEFAULT_FROZEN"]
      ]
    }
  },
  metadata: { forbid: { "its name": [{ ...clean, metadata: unread }, ["COPYCAT", "METADATA_MUTABLE"]] } },
  pools: {
    forbid: {
      "what the pools are worth": [
        withPool({ quoteUsd: null, liquidityUsd: null }),
        ["NEGLIGIBLE_LIQUIDITY", "LOW_LIQUIDITY"]
      ],
      "the deepest pool's fee": [
        withPool({ kind: "meteora-dlmm", fee: null }),
        ["POOL_FEE", "HIGH_POOL_FEE"]
      ],
      "a tier's fee beside the token's own": [
        { ...taxed, pools: [{ ...pool, fee: null }] },
        ["HIGH_POOL_FEE"]
      ],
      "who could sell the pools' coin": [withPool({ quoteAfterSale: unread }), ["QUOTE_COIN"]]
    }
  },
  seasoned: {
    forbid: {
      "since when several wallets' liquidity is there": [
        {
          ...withPool({ lock: { ...NOTHING_KNOWN, locked: { low: 0, high: 0 }, unseen: 0 } }),
          lp: { locked: false, share: { low: 0, high: 0 }, removable: { low: 0.1, high: 0.1 } },
          seasoned: unseasoned
        },
        ["LP_UNLOCKED"]
      ],
      "whether the largest are one hand": [
        { ...withHolders({ possible: { ...held.possible, topThree: most } }), seasoned: unseasoned },
        ["CLOSED_CIRCLE"]
      ]
    }
  },
  unreadUsd: {
    forbid: {
      "what lies in other pools": [{ ...clean, unreadUsd: unread }, ["UNREAD_VENUE"]],
      "whose the larger pools are": [{ ...clean, unreadUsd: known(10_000_000) }, ["UNREAD_VENUE"]]
    }
  },
  price: { forbid: { "a price": [{ ...clean, price: { usd: unread, spread: null } }, ["PRICE_DISPUTED"]] } },
  lp: {
    forbid: {
      "who can take the liquidity": [
        { ...clean, lp: { locked: null, share: { low: 0, high: 1 }, removable: { low: 0, high: 1 } } },
        ["LP_UNLOCKED"]
      ]
    }
  },
  holders: {
    forbid: {
      holders: [{ ...clean, holders: unread }, HOLDERS],
      "whose a large part is": [
        withHolders({ possible: { ...held.possible, largest: most } }),
        ["DOMINANT_HOLDER"]
      ],
      "whether a large part is the creators'": [
        withHolders({ possible: { ...held.possible, insiders: most } }),
        ["INSIDER_GROUP"]
      ],
      "whether a holder is frozen": [withHolders({ unshown: 1 }), ["FROZEN_HOLDERS"]]
    }
  },
  market: {
    forbid: {
      "where liquidity that the node shows comes from": [
        { ...clean, market: known([pairOf(POOL, USDC, { liquidityQuote: 1 })]) },
        ["LIQUIDITY_DISPUTED"]
      ]
    },
    leave: {
      "when pools were made": [
        { ...clean, market: known([pairOf(POOL, USDC, { createdAt: null })]) },
        ["NEW_POOL"]
      ],
      // What lies in pools that only market data names is not known then either, and forbids by itself.
      "market data": [{ ...clean, market: unread }, ["WORTHLESS_QUOTES", "NEW_POOL"]]
    }
  },
  rugCheck: {
    leave: {
      "RugCheck's answer": [{ ...clean, rugCheck: unread }, REPORT],
      "RugCheck's report": [{ ...clean, rugCheck: known(null) }, REPORT],
      "whether it was rugged": [withReport({ rugged: null }), ["RUGGED"]],
      "all of RugCheck's risks": [withReport({ risksAreWhole: false }), ["RUGCHECK_RISKS"]]
    }
  },
  exit: {
    forbid: {
      "why a new wallet could not sell": [
        withExit({ fresh: { kind: "doubtful", leg: "sell" } }),
        ["SALE_FAILS"]
      ],
      "why holders could not sell": [
        withExit({ holders: { tried: 4, refused: 0, doubtful: 1 } }),
        ["HOLDER_SALE_FAILS"]
      ]
    },
    // No token's own code runs in a sale here: what its accounts say decides.
    leave: {
      "whether a new wallet can sell": [
        withExit({ fresh: { kind: "untried", why: "the node refused" } }),
        ["SALE_FAILS", "ROUND_TRIP_LOSS"]
      ],
      "whether holders can sell": [
        withExit({ holders: { tried: 0, refused: 0, doubtful: 0 } }),
        ["HOLDER_SALE_FAILS"]
      ]
    }
  }
}

const named = (which: keyof Gaps) => Object.values(gaps).flatMap((kind) => Object.entries(kind[which] ?? {}))

describe("a token on Solana of which is not known", () => {
  it("nothing that matters is allowed and safe", () => {
    expect(judge(clean)).toMatchObject({ safe: true, verdict: "allow", unknown: [] })
  })

  it.each(named("forbid"))("%s is not called safe, and its report says why", (_, [evidence, ids]) => {
    const { safe, unknown, verdict } = judge(evidence)
    expect(unknown).toEqual(expect.arrayContaining([...ids]))
    expect({ safe, verdict }).not.toEqual({ safe: true, verdict: "allow" })
  })

  it.each(named("leave"))("%s may be safe by the rest, and its report names it", (_, [evidence, ids]) => {
    const { score, unknown } = judge(evidence)
    expect(unknown).toEqual(expect.arrayContaining([...ids]))
    expect(score).toBeGreaterThan(judge(clean).score)
  })
})
