import type { EvidenceRecord } from "./records.ts"
import { sum } from "../../domain/bigint.ts"

/** Where the chain and the ledger do not agree about one transfer. */
export interface Difference extends EvidenceRecord {
  /**
   * `not-in-ledger`: money came that the ledger did not sell for. `not-on-chain`: the ledger counts what is not there.
   */
  readonly kind: "not-in-ledger" | "not-on-chain"
}

/** Sums are smallest units of USDC. */
export interface Comparison {
  readonly onChain: { readonly transfers: number; readonly amount: bigint }
  readonly inLedger: { readonly transfers: number; readonly amount: bigint }
  readonly differences: ReadonlyArray<Difference>
}

const keyOf = ({ network, transaction, payer, amount }: EvidenceRecord): string =>
  [network, transaction, payer, amount].join(" ")

const sumOf = (records: ReadonlyArray<EvidenceRecord>) => ({
  transfers: records.length,
  amount: sum(records.map(({ amount }) => BigInt(amount)))
})

/** What is in `these` and not in `those`, each as often as it is missing. */
const missing = (these: ReadonlyArray<EvidenceRecord>, those: ReadonlyArray<EvidenceRecord>) => {
  const counts = new Map<string, number>()
  for (const record of those) counts.set(keyOf(record), (counts.get(keyOf(record)) ?? 0) + 1)
  return these.filter((record) => {
    const left = counts.get(keyOf(record)) ?? 0
    counts.set(keyOf(record), left - 1)
    return left <= 0
  })
}

/** What came in a period, and what of it the other side is compared with, whenever it came. */
interface Side {
  readonly period: ReadonlyArray<EvidenceRecord>
  readonly ever: ReadonlyArray<EvidenceRecord>
}

/**
 * Compares a period's inflow with what the ledger recorded in it. A transfer may be recorded long after its block: by the
 * process after one that died, or when its payment comes again. So what one side has of a period is looked for in what the
 * other one has of the same transactions at any time (`ever`).
 */
export const compare = (chain: Side, ledger: Side): Comparison => ({
  onChain: sumOf(chain.period),
  inLedger: sumOf(ledger.period),
  differences: [
    ...missing(chain.period, ledger.ever).map((record) => ({ ...record, kind: "not-in-ledger" as const })),
    ...missing(ledger.period, chain.ever).map((record) => ({ ...record, kind: "not-on-chain" as const }))
  ]
})
