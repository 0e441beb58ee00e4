import { Schema } from "effect"
import type { Screening } from "../../../src/domain/screening.ts"
import type { SignalResult } from "../../../src/domain/signal.ts"
import { TokenRef } from "../../../src/domain/token.ts"

export const TOKEN = Schema.decodeUnknownSync(TokenRef)({
  chain: "base",
  address: "0x4200000000000000000000000000000000000006"
})
export const OTHER = Schema.decodeUnknownSync(TokenRef)({
  chain: "base",
  address: "0x4200000000000000000000000000000000000042"
})
export const MINT = Schema.decodeUnknownSync(TokenRef)({
  chain: "solana",
  address: "So11111111111111111111111111111111111111112"
})

/** A critical signal that is known and good. */
export const good: SignalResult = {
  id: "SELLABLE",
  state: "pass",
  points: 0,
  critical: true,
  hard: true,
  source: "simulation",
  message: "It can be sold."
}

export const result = (over: Partial<SignalResult>): SignalResult => ({
  id: "SIGNAL",
  state: "pass",
  points: 0,
  critical: false,
  hard: false,
  source: "base-rpc",
  message: "A message.",
  ...over
})

export const screeningOf = (over: Partial<Screening> = {}): Screening => ({
  token: TOKEN,
  fetchedAt: 1_763_683_200_000,
  pairs: 2,
  priceUsd: 1.5,
  liquidityUsd: 1000,
  mintAuthorityOff: true,
  lpLocked: null,
  signals: [good],
  anchor: { chain: "base", block: "1", codeHash: "0xaa", implementation: null, implementationCodeHash: null },
  ...over
})
