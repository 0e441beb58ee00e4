import { Effect } from "effect"
import type { Address, Hex } from "viem"
import type { BaseRpc } from "../../../chain/chain-rpc.ts"
import { lower } from "../addresses.ts"
import { pushedConstants } from "./storage-places.ts"

/** Sender and input of the transaction that created the first tokens. */
export const readBirth = (rpc: BaseRpc, hash: Hex | null) =>
  hash === null
    ? Effect.succeed(null)
    : Effect.tryPromise(() => rpc.client.getTransaction({ hash })).pipe(
        Effect.timeout("3 seconds"),
        Effect.map(({ from, input }) => ({ from: lower(from), input })),
        Effect.catchAll(() => Effect.succeed(null))
      )

/** Accounts that code names, creation code or the code that stands. */
export const namedAccounts = (code: Hex): ReadonlyArray<Address> =>
  pushedConstants(code, 20)
    .filter((constant) => constant.length === 42)
    .map((constant) => lower(`0x${constant.slice(-40)}`))
