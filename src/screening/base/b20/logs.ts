import { Effect } from "effect"
import type { Address, Hex } from "viem"
import { pad } from "viem"
import type { BaseRpc } from "../../../chain/chain-rpc.ts"
import { readLogRange } from "../../../chain/evm-log-ranges.ts"
import { MAX_LOGS } from "../../../chain/evm-logs.ts"
import { lower } from "../addresses.ts"
import { sinceLaunch } from "../reads/log-windows.ts"
import { B20_FACTORY } from "./interface.ts"

/** Who was ever granted what. */
export interface Grants {
  /** Role and account of every grant that was seen; whether it still stands, the token is asked. */
  readonly grants: ReadonlyArray<readonly [role: Hex, account: Address]>
  /** The token's creation is among the events that were served: nobody else was ever granted anything. */
  readonly fromBirth: boolean
}

const NO_GRANTS: Grants = { grants: [], fromBirth: false }

/** `RoleGranted(bytes32,address,address)`, all three indexed. */
const ROLE_GRANTED: Hex = "0x2f8788117e7eff1d82e926ec794901d17c78024a50270940304540a733656f0d"
/** `B20Created(address,uint8,string,string,uint8,bytes)` of the factory, token indexed. */
const B20_CREATED: Hex = "0xfd9bf2730513a1709722ff379a0844dfd8f997d600693c2bcc659e188bbdba0d"
const TIMEOUT = "4 seconds"

/**
 * Grants of roles as the token's own events tell them. The events are the chain's, not a contract's: they are complete
 * where the range reaches back to the token's creation. Never fails; a node that serves no logs gives none.
 * @param age seconds since the first pool; null where nobody knows
 */
export const readGrants = (
  rpc: BaseRpc,
  token: Address,
  blockNumber: bigint,
  age: bigint | null
): Effect.Effect<Grants> => {
  const within = (fromBlock: bigint) => {
    const range = { fromBlock, toBlock: blockNumber }
    return Effect.all(
      [
        readLogRange(rpc, { address: token, topics: [ROLE_GRANTED, null, null], ...range }, MAX_LOGS),
        readLogRange(rpc, { address: B20_FACTORY, topics: [B20_CREATED, pad(token)], ...range }, MAX_LOGS)
      ],
      { concurrency: 2 }
    ).pipe(
      Effect.map(([granted, created]): Grants => ({
        // A node that keeps no old events may answer with none for any range: only the event itself shows that it does.
        fromBirth: created.length > 0 && granted.length <= MAX_LOGS,
        grants: granted.flatMap(({ topics }) => {
          const [, role, account] = topics
          return role === undefined || account === undefined
            ? []
            : [[role, lower(`0x${account.slice(26)}`)] as const]
        })
      }))
    )
  }
  const recent = sinceLaunch(blockNumber, age).fromBlock
  return within(0n).pipe(
    Effect.orElse(() => within(recent)),
    Effect.timeout(TIMEOUT),
    Effect.catchAll(() => Effect.succeed(NO_GRANTS))
  )
}
