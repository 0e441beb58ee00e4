import type { Signal } from "../../../domain/signal.ts"
import type { BaseEvidence } from "../evidence.ts"
import { holderSignals } from "./holders.ts"
import { identitySignals } from "./identity.ts"
import { liquiditySignals } from "./liquidity.ts"
import { poolTermSignals } from "./pool-terms.ts"
import { powerSignals } from "./power.ts"
import { thirdPartySignals } from "./third-party.ts"
import { tradeSignals } from "./trade.ts"
import { walletSignals } from "./wallets.ts"

/** Every signal judged for a token on Base. A new one is one entry in its theme's file and one test. */
export const baseSignals: ReadonlyArray<Signal<BaseEvidence>> = [
  ...identitySignals,
  ...tradeSignals,
  ...walletSignals,
  ...powerSignals,
  ...liquiditySignals,
  ...poolTermSignals,
  ...holderSignals,
  ...thirdPartySignals
]
