import { exitSignals } from "./exit.ts"
import { extensionSignals } from "./extensions.ts"
import { feeSignals } from "./fees.ts"
import { holderSignals } from "./holders.ts"
import { liquiditySignals } from "./liquidity.ts"
import { mintSignals } from "./mint.ts"
import { poolTermSignals } from "./pool-terms.ts"
import { rugCheckSignals } from "./rugcheck.ts"
import type { SolanaSignal } from "./shared.ts"

/** The signal table of Solana: every row a pure function of the evidence. */
export const solanaSignals: ReadonlyArray<SolanaSignal> = [
  ...mintSignals,
  ...extensionSignals,
  ...feeSignals,
  ...liquiditySignals,
  ...poolTermSignals,
  ...exitSignals,
  ...holderSignals,
  ...rugCheckSignals
]
