import type { Judgement, Signal } from "../../../domain/signal.ts"
import { critical, fail, hard, pass, signalFrom, unknown } from "../../../domain/signal.ts"
import type { BaseEvidence } from "../evidence.ts"
import { isTimeless } from "../power/code-evidence.ts"
import type { SimulationFindings } from "../simulation/findings.ts"
import type { Sale, WalletFindings } from "../simulation/wallet-trial.ts"
import { EARLY_SALES } from "../simulation/wallet-trial.ts"

/** From here on a tax takes most of the money: the verdict is avoid (honest comparison: honeypot.is calls 50 % high). */
const CONFISCATING_BPS = 5000
/** A fee up to here is what honest tokens charge (TokenSniffer: below 5 %). */
const USUAL_BPS = 500
/** Shares of what was bought that must be sellable at once, in percent. */
const BARELY_SELLABLE_PERCENT = 10

const percent = (bps: number): string => `${Math.round(bps / 10) / 10} %`

const withSimulation =
  (judge: (findings: SimulationFindings) => Judgement) =>
  ({ simulation }: BaseEvidence): Judgement =>
    simulation.known ? judge(simulation.value) : unknown(`Trades could not be simulated: ${simulation.why}.`)

/** Points of a tax: none up to 5 %, then one per percent and rising, all of it at 50 %. */
const taxPoints = (bps: number): number => Math.min(70, Math.round(8 + (bps - USUAL_BPS) / 60))

const judgeTax =
  (side: string, pick: (findings: SimulationFindings) => number | null) =>
  (findings: SimulationFindings): Judgement => {
    const bps = pick(findings)
    if (bps === null) return unknown(`${side}: the tax could not be measured.`)
    if (bps >= CONFISCATING_BPS) return fail(`${side} is taxed ${percent(bps)}.`, { hard: true })
    if (bps > USUAL_BPS) return fail(`${side} is taxed ${percent(bps)}.`, { points: taxPoints(bps) })
    return pass(`${side} is taxed ${percent(Math.max(0, bps))}.`)
  }

const tax = (
  id: string,
  side: string,
  weight: { readonly critical: boolean; readonly unknownPoints: number },
  pick: (findings: SimulationFindings) => number | null
): Signal<BaseEvidence> => ({
  id,
  source: "simulation",
  reads: `simulated trades: what the token keeps when ${side.toLowerCase()}, price impact and pool fee excluded`,
  group: id === "BUY_TAX" ? "buy" : "sell",
  hard: false,
  points: 70,
  ...weight,
  judge: withSimulation(judgeTax(side, pick))
})

const highestTax = (sales: ReadonlyArray<Sale>): number =>
  Math.max(0, ...sales.map(({ taxBps }) => taxBps ?? 0))

/** Wallets in simulated blocks saw later times than the single calls do; lost sales are judged there. */
const judgeLaterWallets = ({ sales }: WalletFindings, isTimeless: boolean): Judgement => {
  const isMeasured = sales.some(({ name, taxBps }) => !EARLY_SALES.has(name) && taxBps !== null)
  // What is not a constant product has no formula that a sale could be compared with.
  if (!isMeasured) {
    return isTimeless
      ? pass("Later too: transfers are proven to ask neither block nor time.")
      : unknown("The tax of later sales could not be measured.")
  }
  const early = highestTax(sales.filter(({ name }) => EARLY_SALES.has(name)))
  const late = highestTax(sales.filter(({ name }) => !EARLY_SALES.has(name)))
  return late > Math.max(USUAL_BPS, early + 100)
    ? fail(`The sell tax rises from ${percent(early)} to ${percent(late)} later.`, {
        points: 40,
        hard: false
      })
    : pass("Minutes, hours and more than a month later selling is not taxed more.")
}

const judgeLater = (findings: SimulationFindings, { code, wallets }: BaseEvidence): Judgement => {
  if (findings.laterHoneypot) {
    return fail(
      findings.honeypot
        ? "Selling fails in later blocks too."
        : "Selling works now and fails in a later block."
    )
  }
  const [now, later] = [findings.sellTaxBps, findings.laterSellTaxBps]
  if (later === null && wallets.known) return judgeLaterWallets(wallets.value, isTimeless(code.findings))
  if (later === null) return unknown("Later blocks could not be simulated.")
  if (later >= CONFISCATING_BPS) return fail(`In a later block selling is taxed ${percent(later)}.`)
  if (now !== null && later > Math.max(USUAL_BPS, now + 100)) {
    return fail(`The sell tax rises from ${percent(now)} to ${percent(later)} later.`, {
      points: 40,
      hard: false
    })
  }
  return pass("An hour and a week later selling is not taxed more.")
}

const judgeFullSell = ({ fullSell, variants }: SimulationFindings): Judgement => {
  if (!fullSell.known) return unknown("Selling everything at once could not be tried.")
  if (fullSell.value) return pass("Everything bought can be sold at once.")
  const shares = variants.map(({ legs }) => legs.maxSellPercent).filter((share) => share !== null)
  const most = shares.length === 0 ? null : Math.min(...shares)
  if (most === null) return fail("Not everything bought can be sold at once.")
  const share = most < 1 ? "Less than 1" : `Only ${Math.round(most)}`
  return fail(`${share} % of what was bought can be sold at once.`, {
    hard: most <= BARELY_SELLABLE_PERCENT
  })
}

const judgeHolders = ({ holders }: SimulationFindings): Judgement => {
  if (!holders.known || holders.value.tried === 0)
    return unknown("No real holder is known to try a transfer for.")
  const { tried, failed } = holders.value
  if (failed === 0) return pass(`Trial transfers by real holders: all succeeded (${tried}).`)
  const message = `Trial transfers by real holders: ${failed} of ${tried} failed.`
  // One blocked account may be a thief under sanctions; several among the latest buyers mean that buyers are blocked as a rule.
  return failed === 1
    ? fail(message, { points: 45, hard: false })
    : fail(message, { hard: failed * 2 >= tried })
}

const signal = signalFrom<BaseEvidence>("simulation")

/** What happens to somebody who buys and sells, by simulation. */
export const tradeSignals: ReadonlyArray<Signal<BaseEvidence>> = [
  signal("HONEYPOT", hard(100, 10, "sell"), {
    reads: "simulated buy and sell by fresh accounts, two sizes, two senders",
    judge: withSimulation(({ honeypot }) =>
      honeypot ? fail("A fresh buyer can buy and cannot sell.") : pass("A fresh buyer can sell.")
    )
  }),
  signal("TRADING_BLOCKED", hard(90, 0, "buy"), {
    reads: "simulated buy by fresh accounts",
    judge: withSimulation(({ tradingBlocked }) =>
      tradingBlocked ? fail("Nobody new can buy the token now.") : pass("Anybody can buy.")
    )
  }),
  tax("SELL_TAX", "Selling", { critical: true, unknownPoints: 4 }, ({ sellTaxBps }) => sellTaxBps),
  tax("BUY_TAX", "Buying", { critical: true, unknownPoints: 2 }, ({ buyTaxBps }) => buyTaxBps),
  tax(
    "TRANSFER_TAX",
    "Transferring",
    { critical: false, unknownPoints: 1 },
    ({ transferTaxBps }) => transferTaxBps
  ),
  signal("LATER_SELL", hard(80, 4, "sell"), {
    reads: "wallets' sales up to a month and a half later, or the same trades an hour and a week later",
    judge: (evidence) => withSimulation((findings) => judgeLater(findings, evidence))(evidence)
  }),
  signal("SIMULATION_EVASION", hard(80, 0, "evasion"), {
    reads: "differences between variants a plain token cannot show",
    judge: withSimulation(({ inconsistent }) =>
      inconsistent
        ? fail("The token behaves differently depending on how it is called.")
        : pass("Every way of trading gives the same result.")
    )
  }),
  signal("FULL_SELL", critical(45, 2, "sell"), {
    reads: "selling everything bought at once",
    judge: withSimulation(judgeFullSell)
  }),
  signal("HOLDERS_BLOCKED", hard(60, 2, "holders-blocked"), {
    reads: "transfers by real holders to a fresh account",
    critical: false,
    judge: withSimulation(judgeHolders)
  })
]
