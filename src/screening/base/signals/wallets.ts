import type { Judgement, Signal } from "../../../domain/signal.ts"
import { fail, pass, unknown } from "../../../domain/signal.ts"
import type { BaseEvidence } from "../evidence.ts"
import type { Sale, WalletFindings } from "../simulation/wallet-trial.ts"
import { EARLY_SALES } from "../simulation/wallet-trial.ts"

/** From here on a sale pays so little that it is none. */
const CONFISCATING_BPS = 5000
const isLost = ({ sold, taxBps }: Sale): boolean => !sold || (taxBps !== null && taxBps >= CONFISCATING_BPS)

const withWallets =
  (judge: (findings: WalletFindings) => Judgement) =>
  ({ wallets }: BaseEvidence): Judgement =>
    wallets.known ? judge(wallets.value) : unknown(`Wallets could not be simulated: ${wallets.why}.`)

const judgeSales = ({ sales, seed }: WalletFindings): Judgement => {
  const lost = sales.filter(isLost)
  if (lost.length === 0) {
    return pass(`A wallet sold next block, minutes, hours and over a month later (seed ${seed}).`)
  }
  const late = lost.some(({ name }) => !EARLY_SALES.has(name))
  return fail(
    late
      ? `A wallet that bought could not sell later, or got less than half (seed ${seed}).`
      : `A wallet that bought could not sell within seconds, or got less than half (seed ${seed}).`,
    { hard: late }
  )
}

const judgeSize = ({ whale, seed }: WalletFindings): Judgement => {
  if (whale === null)
    return pass("Purchases of a twentieth of the pool are refused; smaller ones can be sold.")
  return isLost(whale)
    ? fail(`Who buys a twentieth of the pool cannot sell it at once, or gets less than half (seed ${seed}).`)
    : pass("A purchase of a twentieth of the pool can be sold at once.")
}

const judgePools = ({ others, seed }: WalletFindings): Judgement => {
  const lost = others.filter(isLost).length
  return lost === 0
    ? pass(`Sales pass in ${others.length + 1} of the pools that hold a relevant share.`)
    : fail(`In ${lost} of the pools that hold a relevant share a wallet cannot sell (seed ${seed}).`)
}

const judgeRouters = ({ permit2, refused, seed }: WalletFindings): Judgement => {
  if (refused > 0)
    return fail(`${refused} of the usual routers and aggregators may not move a wallet's tokens.`)
  if (permit2 === null)
    return pass(
      "The usual routers and aggregators may move a wallet's tokens; no sale through Permit2 was tried."
    )
  return isLost(permit2)
    ? fail(`A wallet cannot sell through Permit2 and the Universal Router (seed ${seed}).`)
    : pass(
        "A wallet sold through Permit2 and the Universal Router; the usual aggregators may move its tokens."
      )
}

const signal = (
  id: string,
  reads: string,
  points: number,
  judge: (findings: WalletFindings) => Judgement
): Signal<BaseEvidence> => ({
  id,
  source: "simulation",
  reads,
  group: "sell",
  hard: false,
  // Where the node simulates no blocks the older trial of single calls stands alone, and the report says so.
  critical: ({ wallets }) => wallets.known,
  points,
  unknownPoints: 3,
  judge: withWallets(judge)
})

/** What wallets live through in simulated blocks, with real transactions through real routers. */
export const walletSignals: ReadonlyArray<Signal<BaseEvidence>> = [
  signal(
    "WALLET_SALES",
    "eth_simulateV1: buy, approve, sell half, a gift sold by its receiver, 42 strangers, minutes, hours and 31+ days later",
    80,
    judgeSales
  ),
  signal("WALLET_SIZE", "the same blocks: a purchase of a twentieth of the pool sold at once", 45, judgeSize),
  signal("WALLET_POOLS", "the same blocks: every pool with 5 % of the best one's money", 45, judgePools),
  signal(
    "WALLET_ROUTERS",
    "transfers to the pool by Permit2, Universal Router and aggregators",
    40,
    judgeRouters
  )
]
