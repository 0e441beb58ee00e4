/** The evidence of one honest token, as it stands before it is judged. */
import { known } from "../../../src/domain/fact.ts"
import { assess } from "../../../src/screening/risk-scorer-live.ts"
import { judgeAll } from "../../../src/screening/signal-table.ts"
import { USDC } from "../../../src/screening/solana/addresses.ts"
import type { SolanaEvidence } from "../../../src/screening/solana/evidence.ts"
import { NOTHING_KNOWN } from "../../../src/screening/solana/pools/lp-reading.ts"
import type { PoolFact } from "../../../src/screening/solana/pools/pool-fact.ts"
import type { Exit, HolderFacts } from "../../../src/screening/solana/power/exits.ts"
import type { Mint } from "../../../src/screening/solana/power/mint.ts"
import { solanaSignals } from "../../../src/screening/solana/signals/index.ts"
import { emptyReport, pairOf } from "./clean-token.ts"
import { wallet } from "./encode.ts"

export const POOL = wallet("pool")
const few: Exit = { share: 0.01, priceAfter: 0.9 }

export const mint: Mint = {
  program: "token",
  mintAuthority: null,
  freezeAuthority: null,
  supply: 10n ** 15n,
  decimals: 6,
  walk: { kind: "complete", extensions: {} }
}

export const pool: PoolFact = {
  address: POOL,
  kind: "raydium-cpmm",
  obstacle: null,
  fee: { now: 0.0025, lasting: 0.0025 },
  surge: 0,
  quoteUsd: 50_000,
  quoteInVault: 50_000,
  liquidityUsd: 100_000,
  mostUsd: null,
  nominalUsd: 100_000,
  priceUsd: 0.0001,
  depth: { token: 5e14, quote: 5e10, real: 5e10 },
  isTwoSided: true,
  quoteAfterSale: null,
  handedOut: 0,
  switchedBy: null,
  isDear: false,
  quoteIsTrusted: true,
  lock: { ...NOTHING_KNOWN, locked: { low: 1, high: 1 }, unseen: 0 },
  rugCheckLocked: null
}

export const held: HolderFacts = {
  largest: few,
  topTen: few,
  listed: few,
  insiders: few,
  possible: { largest: few, topThree: few, topTen: few, listed: few, insiders: few },
  pieces: null,
  underPrograms: 0,
  frozen: 0,
  unshown: 0
}

/** Authorities off, liquidity burned, many holders, everybody sells: as clean as a token on Solana can be. */
export const clean: SolanaEvidence = {
  address: wallet("mint"),
  slot: 1n,
  accountHash: "00",
  fetchedAt: 0,
  reading: { kind: "mint", mint },
  trusted: null,
  isStakePoolToken: false,
  epoch: known(500n),
  metadata: known({ mutable: false, worn: null, wornElsewhere: null }),
  pools: [pool],
  seasoned: { month: new Set([POOL]), halfYear: new Set([POOL]) },
  pairs: 1,
  unreadUsd: known(0),
  price: { usd: known(0.0001), spread: 0 },
  lp: { locked: true, share: { low: 1, high: 1 }, removable: { low: 0, high: 0 } },
  holders: known(held),
  market: known([pairOf(POOL, USDC)]),
  rugCheck: known(emptyReport),
  lockDisputed: false,
  exit: { fresh: { kind: "sold", loss: 0.01 }, holders: { tried: 4, refused: 0, doubtful: 0 } }
}

export const judge = (evidence: SolanaEvidence) => {
  const signals = judgeAll(solanaSignals, evidence)
  return {
    ...assess({ signals }),
    unknown: signals.flatMap(({ id, state }) => (state === "unknown" ? [id] : []))
  }
}
