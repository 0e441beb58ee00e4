import type { Judgement, Signal } from "../../../domain/signal.ts"
import { fail, pass, signalFrom, unknown } from "../../../domain/signal.ts"
import { provenOld } from "../pools/seasoned.ts"
import type { Mint } from "../power/mint.ts"
import type { SolanaEvidence } from "../evidence.ts"

export type SolanaSignal = Signal<SolanaEvidence>

/** A row that reads the chain itself. */
export const signal = signalFrom<SolanaEvidence>("solana-rpc")

export const percent = (share: number): string => `${Math.round(share * 1000) / 10} %`

export const usd = (amount: number): string => `${Math.round(amount)} USD`

/** Judges a mint; where no mint could be read there is nothing to judge. */
export const ofMint =
  (judge: (mint: Mint, evidence: SolanaEvidence) => Judgement) =>
  (evidence: SolanaEvidence): Judgement =>
    evidence.reading.kind === "mint"
      ? judge(evidence.reading.mint, evidence)
      : unknown("There is no readable mint at this address.")

/** A power that every listed issuer may hold: named in the message, not counted. */
export const acceptedOfListed = (power: string): Judgement =>
  pass(`${power}, of an established issuer whose mint is listed.`)

/** A power that somebody holds: it counts, unless an established issuer holds it. */
export const held = (trusted: SolanaEvidence["trusted"], counts: string, listed: string): Judgement =>
  trusted === null ? fail(counts) : acceptedOfListed(listed)

/**
 * Judges one extension. The extension's absence is only known after a whole walk: behind a malformed entry anything
 * could follow, so what was not seen is then unknown. A type newer than this code does not hide the others.
 */
export const ofExtension = <K extends keyof Mint["walk"]["extensions"]>(
  name: K,
  absent: string,
  judge: (value: NonNullable<Mint["walk"]["extensions"][K]> | null, evidence: SolanaEvidence) => Judgement
) =>
  ofMint((mint, evidence) => {
    const { extensions, kind } = mint.walk
    const value = extensions[name]
    if (value !== undefined) return judge(value ?? null, evidence)
    return kind === "malformed" ? unknown("The mint's extensions could not be read.") : pass(absent)
  })

export const HOUR = 3_600_000

/** This much of the liquidity must have been there so long that its market had the time. */
const MOST = 0.5

/**
 * Whether all the largest holders of a token may be one: wallets cost nothing. Where most of its liquidity lies in pools
 * that have held it for long, they could have sold all that time, and did not. Other pools, however old, say nothing of
 * it, and the date of a pool's opening nothing of what lies in it.
 */
export const mayBeOneHand = ({ pools, seasoned }: SolanaEvidence): boolean => {
  const total = pools.reduce((sum, { quoteUsd }) => sum + (quoteUsd ?? 0), 0)
  const isOld = provenOld(pools, seasoned)
  const old = pools.reduce(
    (sum, { address, quoteUsd }) => (isOld.has(address) ? sum + (quoteUsd ?? 0) : sum),
    0
  )
  return old === 0 || old < total * MOST
}
