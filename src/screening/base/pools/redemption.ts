import { Effect } from "effect"
import type { BaseRpc } from "../../../chain/chain-rpc.ts"
import { FLETH } from "../addresses.ts"
import { callData } from "../reads/query.ts"
import { balanceOverride } from "../simulation/balance-slots.ts"
import { freshAddress } from "../simulation/probe-call.ts"

const AMOUNT = 10n ** 16n
const TIMEOUT = "3 seconds"

/**
 * Whether flETH is ether now: somebody who holds a little takes it out (`withdraw(uint256)`) in a simulated call. A node
 * that does not replace state, and a refusal, say that it is not: then it counts for nothing.
 */
export const redeemsEther = (rpc: BaseRpc, blockNumber: bigint): Effect.Effect<boolean> =>
  Effect.flatMap(freshAddress, (from) =>
    rpc.call({
      from,
      to: FLETH,
      data: callData("withdraw(uint256)", AMOUNT),
      blockNumber,
      stateOverride: [{ address: FLETH, stateDiff: balanceOverride(from, AMOUNT) }]
    })
  ).pipe(
    Effect.map(({ ok }) => ok),
    Effect.timeout(TIMEOUT),
    Effect.catchAll(() => Effect.succeed(false))
  )
