import type { Judgement, Signal } from "../../../domain/signal.ts"
import { fail, hard, minor, pass, signalFrom, unknown } from "../../../domain/signal.ts"
import type { BaseEvidence } from "../evidence.ts"
import { isYoung } from "../holders/age.ts"
import { insiderSale } from "../holders/insider-sale.ts"

/** Balances may exceed the supply by rounding, rebases in flight and fees, not by more than this. */
const SUPPLY_TOLERANCE = 0.01
const ODD_POINTS = 10

/** Share of the pools' money that one holder could take by selling: more than half of it, in whole percent, ends the market. */
const RUINOUS = 0.51
const HEAVY = 0.25

const percent = (share: number): string => `${Math.round(share * 100)} %`

const judgeHidden = ({ holders, shape, established, native }: BaseEvidence): Judgement => {
  if (established) return pass("Not judged: an established token, admitted by exact address.")
  if (holders.lent)
    return fail(
      "Somebody may take what pools, lockers or burn addresses hold: the token allows it by itself."
    )
  const { supply } = shape
  if (supply === null || supply === 0n) return unknown("The supply is not known.")
  if (Number(holders.found) > Number(supply) * (1 + SUPPLY_TOLERANCE)) {
    // Where a pool holds more than the supply, the token only counts oddly; any other account can sell what it holds.
    const waiting = holders.largest > supply
    return fail("Accounts hold more of the token than its supply says there is.", {
      hard: waiting,
      ...(waiting ? {} : { points: ODD_POINTS })
    })
  }
  if (native !== null) return pass("Base itself counts the supply: balances beyond it cannot be.")
  return holders.complete.known
    ? pass("The token's whole storage was read: nobody holds what the supply does not count.")
    : unknown(`Balances beyond the supply cannot be excluded: ${holders.complete.why}.`)
}

const judgeInsiders = (evidence: BaseEvidence): Judgement => {
  if (evidence.established) return pass("Not judged: an established token, admitted by exact address.")
  const loss = insiderSale(evidence)
  if (loss === null) return unknown("The largest holders are not known.")
  const { certain, possible } = loss
  const message = `The largest holder or group could take ${percent(certain)} of the pools' money by selling.`
  if (certain >= RUINOUS) return fail(message)
  if (possible >= RUINOUS)
    return unknown(
      `Whose part of the supply is, is not known; one holder could take ${percent(possible)} of the pools' money.`
    )
  if (certain >= HEAVY) return fail(message, { points: 10, hard: false })
  if (evidence.holders.complete.known) return pass(message)
  if (evidence.holders.scattered) return unknown(`At least: ${message}`)
  const bound = `No holder or group could take more than ${percent(possible)} of the pools' money by selling.`
  return possible < HEAVY ? pass(bound) : unknown(bound)
}

/** What is not known could end the market, or nothing is known at all. */
const isRuinous = (evidence: BaseEvidence): boolean => {
  if (evidence.established) return false
  const loss = insiderSale(evidence)
  return loss === null ? evidence.pools.some(({ quoteUsd }) => quoteUsd > 0) : loss.possible >= RUINOUS
}

const signal = signalFrom<BaseEvidence>("base-rpc")

/** Who holds the rest of the supply. */
export const holderSignals: ReadonlyArray<Signal<BaseEvidence>> = [
  signal("HIDDEN_SUPPLY", hard(80, 2, "supply"), {
    reads:
      "balances of every account the token's events, code and birth name, and what nobody's accounts allow; its whole storage against eth_getProof",
    critical: isYoung,
    judge: judgeHidden
  }),
  signal("HOLDER_CONCENTRATION", minor(20, 2, "holders"), {
    reads:
      "the largest holder, the deployer with all who got tokens without buying, what was paid for the rest, the supply nobody explains; the pools' reserves",
    critical: isRuinous,
    judge: judgeInsiders
  })
]
