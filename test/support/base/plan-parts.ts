import { Effect } from "effect"
import type { Hex } from "viem"
import type { BasePlanParts } from "../../../src/screening/base/plan.ts"
import { lockerList } from "../../../src/screening/base/pools/lp-lock.ts"
import { unreadHook } from "../../../src/screening/base/pools/hook/findings.ts"
import type { CodeFindings } from "../../../src/screening/base/power/findings.ts"
import { simulateTrades } from "../../../src/screening/base/simulation/simulate.ts"
import { tryWallets } from "../../../src/screening/base/simulation/wallet-trial.ts"

/** The parts of a plan where no market lists the token and no locker is known: trades are tried on the node's chain. */
export const planParts = (
  rpc: BasePlanParts["rpc"],
  findings: (code: Hex) => CodeFindings
): BasePlanParts => ({
  rpc,
  pairs: () => Effect.succeed([]),
  analyser: {
    findings: (code) => Effect.sync(() => findings(code)),
    settled: (code) => Effect.sync(() => findings(code)),
    hasNoWayOut: () => Effect.succeed(false),
    isFaithful: () => Effect.succeed(false),
    hook: () => Effect.succeed(unreadHook("is not looked at"))
  },
  simulate: simulateTrades,
  wallets: tryWallets,
  lockers: lockerList([])
})
