import { Effect, Schema } from "effect"
import type { Address, Hex, PublicClient } from "viem"
import type { BaseRpc } from "../../../chain/chain-rpc.ts"
import { Account, Bytes, Word, decodedBy, lowerHex } from "../../../chain/evm-wire.ts"
import { lower } from "../addresses.ts"
import { pushedConstants } from "./storage-places.ts"

const METHOD = "eth_getTransactionByHash"
const transaction = decodedBy(
  Schema.Struct({
    hash: Word,
    from: Account,
    to: Schema.optional(Schema.NullOr(Account)),
    input: Bytes
  }),
  METHOD
)

const askTransaction = async (client: PublicClient, hash: Hex) => {
  const found = transaction(await client.request({ method: METHOD, params: [hash] }))
  if (lowerHex(found.hash) !== hash) return null
  const to = found.to === undefined || found.to === null ? null : lower(found.to)
  return { from: lower(found.from), to, input: lowerHex(found.input) }
}

/** The parts of a transaction that are read, addresses and bytes in lower case. */
export interface Sent {
  readonly from: Address
  /** Null where it created a contract. */
  readonly to: Address | null
  readonly input: Hex
}

/** A transaction by its hash; null where the node does not show it within three seconds. */
export const readSent = (rpc: BaseRpc, hash: Hex | null): Effect.Effect<Sent | null> =>
  hash === null
    ? Effect.succeed(null)
    : Effect.tryPromise(() => askTransaction(rpc.client, hash)).pipe(
        Effect.timeout("3 seconds"),
        Effect.catchAll(() => Effect.succeed(null))
      )

/** Addresses that code holds as pushed constants, be it creation code or deployed code. */
export const namedAccounts = (code: Hex): ReadonlyArray<Address> =>
  pushedConstants(code, 20)
    .filter((constant) => constant.length === 42)
    .map((constant) => lower(`0x${constant.slice(-40)}`))
