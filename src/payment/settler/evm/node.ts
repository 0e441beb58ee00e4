import { Data, Effect } from "effect"
import type { Hex, PublicClient } from "viem"
import type { BaseRpc } from "../../../chain/chain-rpc.ts"
import { askBlock } from "../../../chain/evm-blocks.ts"
import { askFees } from "../../../chain/evm-fees.ts"
import { askReceipt, type EvmLog } from "../../../chain/evm-logs.ts"
import { UpstreamError } from "../../../domain/errors.ts"
import { describe, isRevert, isTransport, refusalOf, revertReason } from "../../verifier/evm/rpc-error.ts"
import { everywhere } from "../everywhere.ts"
import { readDataFee } from "./data-fee.ts"
import { type Market, openingTip } from "./offers.ts"
import type { Address } from "./journal.ts"

/** A transaction in a block. */
export interface Receipt {
  readonly hash: Hex
  readonly succeeded: boolean
  readonly height: number
  /** Lower-case hex. */
  readonly blockHash: string
  readonly gasUsed: bigint
  /** Wei per gas that was paid. */
  readonly gasPrice: bigint
  /** Wei that publishing it on Ethereum cost. */
  readonly dataFee: bigint
  /** In the transaction's own order. */
  readonly logs: ReadonlyArray<Pick<EvmLog, "address" | "topics" | "data">>
}

/** What the next block asks for, and the block that says so. */
export interface MarketView extends Market {
  readonly height: number
  /** Most wei that publishing an EOA's transfer on Ethereum costs, on top of its gas. */
  readonly dataFee: bigint
}

/**
 * What a node said to a signed transaction. `taken`: it has it. `nonce`: that nonce is used, or taken by a higher offer.
 * `refused`: it did not take it. `unknown`: no answer, so it may have it.
 */
export type SendAnswer = "taken" | "nonce" | "refused" | "unknown"

interface Sent {
  readonly answer: SendAnswer
  readonly detail: string
}

/** The contract refuses the transfer. `reason` is the x402 error code. */
export class Reverted extends Data.TaggedError("Reverted")<{ readonly reason: string }> {}

interface Call {
  readonly to: Hex
  readonly data: Hex
}

type Read<A> = Effect.Effect<A, UpstreamError>

/** What sending needs from a Base node. Every method is one round trip, or several at once. */
export interface EvmNode {
  readonly market: Read<MarketView>
  /** Height of the newest block that Base calls safe: it is on Ethereum. */
  readonly safeHeight: Read<number>
  /** Transactions of an account that are in the chain at a height; a node that has no such block fails. */
  readonly used: (account: Address, at: number | "latest" | "pending") => Read<number>
  /** Hash of the block at a height, lower-case hex. */
  readonly blockHash: (height: number) => Read<string>
  /** Wei. */
  readonly balance: (account: Address) => Read<bigint>
  readonly receipt: (hash: Hex) => Read<Receipt | undefined>
  /** Gas a call uses as a transaction of its own. */
  readonly estimate: (from: Address, call: Call) => Effect.Effect<bigint, Reverted | UpstreamError>
  readonly hasCode: (account: Hex) => Read<boolean>
  /** To the preferred node; to another one where that does not answer. */
  readonly send: (raw: Hex) => Effect.Effect<Sent>
  /** To each of our nodes, for what waits: one that takes a transaction may pass it on to nobody. */
  readonly sendToAll: (raw: Hex) => Effect.Effect<Sent>
}

/** Blocks whose tips count. */
const TIP_BLOCKS = 5

const unreachable = (error: unknown) =>
  error instanceof UpstreamError
    ? error
    : new UpstreamError({
        upstream: "base-rpc",
        kind: isTransport(error) ? "transport" : "rejected",
        detail: describe(error)
      })

const read = <A>(request: () => Promise<A>): Read<A> =>
  Effect.tryPromise({ try: request, catch: unreachable })

const market = (client: PublicClient) =>
  Effect.zipWith(
    read(() => askFees(client, TIP_BLOCKS)),
    read(() => readDataFee(client)),
    ({ baseFee, height, tips }, dataFee): MarketView => ({
      height: Number(height),
      baseFee,
      tip: openingTip(tips),
      dataFee
    }),
    { concurrent: true }
  )

const receipt = (client: PublicClient, hash: Hex): Read<Receipt | undefined> =>
  Effect.map(
    read(() => askReceipt(client, hash)),
    (found) =>
      found && {
        hash,
        succeeded: found.passed,
        height: Number(found.blockNumber),
        blockHash: found.blockHash,
        gasUsed: found.gasUsed,
        gasPrice: found.gasPrice,
        dataFee: found.dataFee,
        logs: found.logs
      }
  )

const send = (client: PublicClient, raw: Hex): Effect.Effect<Sent, Sent> =>
  Effect.tryPromise(() => client.sendRawTransaction({ serializedTransaction: raw })).pipe(
    Effect.as<Sent>({ answer: "taken", detail: "" }),
    Effect.catchAll(({ error }) => {
      const [refusal, detail] = [refusalOf(error), describe(error)]
      return refusal === "known"
        ? Effect.succeed<Sent>({ answer: "taken", detail })
        : Effect.fail<Sent>({ answer: refusal, detail })
    })
  )

/** The nodes behind viem clients, which bring time-outs and fallbacks. */
export const makeEvmNode = ({ client, nodes }: Pick<BaseRpc, "client" | "nodes">): EvmNode => ({
  market: market(client),
  safeHeight: read(() => askBlock(client, "safe")).pipe(Effect.map(({ number }) => Number(number))),
  used: (address, at) =>
    read(() =>
      client.getTransactionCount(
        typeof at === "number" ? { address, blockNumber: BigInt(at) } : { address, blockTag: at }
      )
    ),
  blockHash: (height) =>
    Effect.map(
      read(() => askBlock(client, BigInt(height))),
      ({ hash }) => hash
    ),
  balance: (address) => read(() => client.getBalance({ address })),
  receipt: (hash) => receipt(client, hash),
  estimate: (account, call) =>
    Effect.tryPromise({
      try: () => client.estimateGas({ account, ...call }),
      catch: (error) => (isRevert(error) ? new Reverted({ reason: revertReason(error) }) : unreachable(error))
    }),
  hasCode: (address) =>
    Effect.map(
      read(() => client.getCode({ address })),
      (code) => code !== undefined && code !== "0x"
    ),
  send: (raw) => Effect.merge(send(client, raw)),
  sendToAll: (raw) => Effect.merge(everywhere(nodes.map((one) => send(one.client, raw))))
})
