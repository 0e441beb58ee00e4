import type { Address } from "viem"
import { known, missing } from "../../../src/domain/fact.ts"
import type { MarketPair } from "../../../src/market/market-data.ts"
import { BRIDGES, WETH } from "../../../src/screening/base/addresses.ts"
import type { BaseEvidence, PoolEvidence } from "../../../src/screening/base/evidence.ts"
import type { LaterInput } from "../../../src/screening/base/holders/summary.ts"
import type { LpState } from "../../../src/screening/base/pools/lp-lock.ts"
import type { PoolState } from "../../../src/screening/base/pools/pool-state.ts"
import { baseSignals } from "../../../src/screening/base/signals/table.ts"
import type { SimulationFindings } from "../../../src/screening/base/simulation/findings.ts"
import type { CodeFindings, Finding } from "../../../src/screening/base/power/findings.ts"
import { assess } from "../../../src/screening/risk-scorer-live.ts"
import { judgeAll } from "../../../src/screening/signal-table.ts"

export const TOKEN: Address = "0x1234567890abcdef1234567890abcdef12345678"
export const POOL: Address = "0xaaaabbbbccccddddeeeeffff0000111122223333"
export const OWNER: Address = "0x7d289ee045071ed7f56b11eda1720c5dde386fb0"
export const BLOCK_TIME = 1_800_000_000n

export const absent: Finding = { state: "not-found" }
export const found: Finding = { state: "found", selectors: ["0x40c10f19"], note: "for the test" }

export const harmlessCode: CodeFindings = {
  hiddenMint: absent,
  limitingSell: absent,
  leakingToken: absent,
  balanceSeizure: absent,
  blacklist: absent,
  pause: absent,
  unboundedFee: absent,
  hiddenOwner: absent,
  replaceableCode: absent,
  environmentGate: absent,
  proof: {
    transferPath: { holes: [] },
    conservation: { holes: [] },
    votes: null,
    domains: [],
    ledger: null,
    keepsOwn: true,
    owesNobody: false,
    asks: [],
    held: [],
    settledBy: [],
    tables: [],
    hasNoRoles: false,
    asksMoment: false,
    whole: true
  },
  gateSlots: [],
  isToken: true,
  steps: 1
}

export const fairTrades: SimulationFindings = {
  variants: [],
  tradingBlocked: false,
  honeypot: false,
  buyTaxBps: 0,
  sellTaxBps: 0,
  transferTaxBps: 0,
  laterSellTaxBps: 0,
  laterHoneypot: false,
  inconsistent: false,
  fullSell: known(true),
  holders: missing("no holders are known")
}

export const burnedLp: LpState = {
  pool: POOL,
  burned: 1,
  locked: 0,
  undated: 0,
  controlled: 0,
  earliestUnlock: null
}

const ETHER = 10n ** 18n

/** A pool of ten ether, a hundred tokens each, as the chain shows it. */
export const poolState = (change: Partial<PoolState> = {}): PoolState => ({
  kind: "v2",
  dex: "uniswap-v2",
  address: POOL,
  token: TOKEN,
  quote: WETH,
  feePips: 3000,
  quoteReserve: 10n * ETHER,
  tokenReserve: 1000n * ETHER,
  ratio: 0.01,
  tokenBalance: null,
  ...change
})

export const pool = (change: Partial<PoolEvidence> = {}): PoolEvidence => ({
  ...poolState(),
  quoteReserve: 30n * ETHER,
  tokenReserve: 10n ** 24n,
  tokenBalance: 10n ** 24n,
  quoteUsd: 90_000,
  priceUsd: 0.09,
  lp: burnedLp,
  lockedShare: 1,
  largestFree: null,
  parked: null,
  earlierQuoteReserve: 30n * 10n ** 18n,
  ...change
})

export const pair = (change: Partial<MarketPair> = {}): MarketPair => ({
  dexId: "uniswap",
  labels: ["v2"],
  pairAddress: POOL,
  quoteAddress: WETH,
  priceUsd: 0.09,
  liquidityUsd: 180_000,
  liquidityBase: 1_000_000,
  liquidityQuote: 30,
  createdAt: (Number(BLOCK_TIME) - 90 * 86_400) * 1000,
  ...change
})

/** Code harmless, owner nobody, LP burned, trades fair: as clean as a token on Base can be. */
export const clean: BaseEvidence = {
  token: TOKEN,
  blockTime: BLOCK_TIME,
  established: false,
  shape: {
    decimals: 18,
    supply: 10n ** 25n,
    copycat: null,
    areTextsTold: true,
    nameHash: null,
    seenByPools: new Map([[POOL, 10n ** 24n]])
  },
  code: {
    account: "contract",
    codeHash: `0x${"11".repeat(32)}`,
    proxy: { kind: "none" },
    implementation: null,
    implementationCodeHash: null,
    upgrader: { kind: "nobody" },
    findings: known(harmlessCode),
    gates: known([]),
    canUnlock: false,
    hasEndedPower: false
  },
  native: null,
  owner: {
    status: "renounced",
    owner: null,
    sideHolder: null,
    pendingOwner: null,
    unlockTime: null,
    roles: null,
    holder: { kind: "nobody" },
    sideHolderKind: { kind: "nobody" },
    supplyShare: null
  },
  pools: [pool()],
  market: known([pair()]),
  pairs: 1,
  price: { price: known(0.09), spread: 0 },
  liquidityUsd: 180_000,
  ethUsd: known(3000),
  lp: { locked: true, share: 1, spread: false },
  launchpad: null,
  hookRuler: null,
  hooks: new Map(),
  unread: 0n,
  elsewhereUsd: 0,
  delegates: new Map(),
  bridges: BRIDGES,
  age: 90n * 86_400n,
  hadMoney: true,
  wallets: missing("the node does not simulate blocks"),
  holders: {
    complete: known(true),
    found: 10n ** 25n,
    largest: 0n,
    largestThree: 0n,
    largestTen: 0n,
    insiders: 0n,
    outside: 0n,
    bought: null,
    paidUsd: null,
    looselyLocked: 0n,
    scattered: false,
    lent: false,
    settling: null
  },
  simulation: known(fairTrades)
}

/** What one signal says of the evidence, before its weight. */
export const judgementOf = (id: string, evidence: BaseEvidence) =>
  baseSignals.find((signal) => signal.id === id)?.judge(evidence)

export const judge = (evidence: BaseEvidence) => {
  const signals = judgeAll(baseSignals, evidence)
  const assessment = assess({ signals })
  return {
    ...assessment,
    signals,
    state: (id: string) => signals.find((signal) => signal.id === id)?.state,
    message: (id: string) => signals.find((signal) => signal.id === id)?.message ?? ""
  }
}

/** The clean token with a power in its code, in the hands of one private key unless said otherwise. */
export const withPower = (
  powers: Partial<CodeFindings>,
  holder: BaseEvidence["owner"]["holder"] = { kind: "eoa" }
): BaseEvidence => ({
  ...clean,
  code: {
    ...clean.code,
    findings: known({ ...harmlessCode, ...powers, gateSlots: [`0x${"0".repeat(64)}`] }),
    gates: known([{ slot: `0x${"0".repeat(64)}`, value: BigInt(OWNER) }])
  },
  owner: { ...clean.owner, status: "held", owner: OWNER, holder, supplyShare: 0 }
})

export const withTrades = (change: Partial<SimulationFindings>): BaseEvidence => ({
  ...clean,
  simulation: known({ ...fairTrades, ...change })
})

/** What is known of holders later than their balances are asked for: nothing. */
export const NOTHING_LATER: LaterInput = {
  suspects: [],
  creator: null,
  lists: [],
  wanted: { slots: [], tables: [] },
  keepsOwn: true,
  ledger: null,
  votes: null,
  purchases: null,
  launched: null
}
