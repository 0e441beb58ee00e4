import type { EvidenceRecord } from "./records.ts"

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
  amount: records.reduce((sum, { amount }) => sum + BigInt(amount), 0n)
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

/**
 * Compares a period's inflow with what the ledger recorded. A transfer near midnight is in a block of one day and may
 * be recorded on the next: such a transfer is looked for in `known`, the ledger's records of a wider period, and in
 * `nearby`, the chain's.
 */
export const compare = (
  chain: { readonly period: ReadonlyArray<EvidenceRecord>; readonly nearby: ReadonlyArray<EvidenceRecord> },
  ledger: { readonly period: ReadonlyArray<EvidenceRecord>; readonly nearby: ReadonlyArray<EvidenceRecord> }
): Comparison => ({
  onChain: sumOf(chain.period),
  inLedger: sumOf(ledger.period),
  differences: [
    ...missing(chain.period, ledger.nearby).map((record) => ({ ...record, kind: "not-in-ledger" as const })),
    ...missing(ledger.period, chain.nearby).map((record) => ({ ...record, kind: "not-on-chain" as const }))
  ]
})
