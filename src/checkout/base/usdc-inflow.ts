import { Effect } from "effect"
import type { Address, PublicClient } from "viem"
import { getAddress, pad } from "viem"
import type { BaseRpc } from "../../chain/chain-rpc.ts"
import { askBlock } from "../../chain/evm-blocks.ts"
import { AUTHORIZATION_USED, TRANSFER } from "../../chain/evm-events.ts"
import { askLogs, askReceipt, type EvmLog } from "../../chain/evm-logs.ts"
import { sum } from "../../domain/bigint.ts"
import { BASE_NETWORK } from "../../domain/chain.ts"
import { UpstreamError } from "../../domain/errors.ts"
import { type Movement, USDC_ABI, movementIn, usdc } from "./usdc.ts"

/** USDC that came into an account. */
export interface Inflow {
  readonly transaction: string
  /** Position of its log among its own transaction's. */
  readonly position: number
  /** The same of the log that stands for it in the ledger: its authorization's, or its own where it has none. */
  readonly index: number
  readonly height: number
  readonly blockHash: string
  /** Unix milliseconds. */
  readonly at: number
  readonly payer: string
  /** Smallest units. */
  readonly amount: bigint
  /** The ledger's key of the EIP-3009 authorization it belongs to; null for a plain transfer. */
  readonly authorizationKey: string | null
}

/** Blocks one look reads through; public nodes list no more at once. */
export const SPAN = 2_000

/** Blocks of one account: above `from`, up to `to`. */
export interface Span {
  readonly owner: string
  readonly from: number
  readonly to: number
}

/** What came into an account, by the word of one node. */
export interface Inflows {
  readonly host: string
  readonly inflows: ReadonlyArray<Inflow>
}

const balanceAt = (client: PublicClient, owner: Address, height: number) =>
  client.readContract({
    address: usdc,
    abi: USDC_ABI,
    functionName: "balanceOf",
    args: [owner],
    blockNumber: BigInt(height)
  })

/** A movement and the log that tells of it. */
interface Told {
  readonly log: EvmLog
  readonly movement: Movement
}

const toldIn = async (
  client: PublicClient,
  { from, to }: Span,
  parties: readonly [from: Address | null, to: Address | null]
): Promise<ReadonlyArray<Told>> => {
  const logs = await askLogs(client, {
    address: usdc,
    topics: [TRANSFER, ...parties.map((party) => party && pad(party))],
    fromBlock: BigInt(from + 1),
    toBlock: BigInt(to)
  })
  return logs.flatMap((log) => {
    const movement = movementIn(log)
    return movement === undefined ? [] : [{ log, movement }]
  })
}

const moved = (told: ReadonlyArray<Told>): bigint => sum(told.map(({ movement }) => movement.amount))

/** The authorization that a transfer follows at once in its transaction's logs, as the ledger writes its key. */
const authorizationBefore = (
  logs: ReadonlyArray<EvmLog>,
  position: number,
  payer: Address
): string | null => {
  const before = logs[position - 1]
  const [event, authorizer, nonce] = before?.topics ?? []
  const isUse =
    before !== undefined &&
    getAddress(before.address) === usdc &&
    event === AUTHORIZATION_USED &&
    authorizer === pad(payer).toLowerCase() &&
    nonce !== undefined
  return isUse ? `${BASE_NETWORK}:${usdc}:${payer}:${nonce}`.toLowerCase() : null
}

/** Transfers whose place is known: what a block holds at a position never changes. */
const MOST_KNOWN = 5_000

/**
 * A log together with its receipt and its block, read once each: blocks above the safe one are listed again and again.
 */
const makeInflowOf = () => {
  const known = new Map<string, Inflow>()
  const read = async (client: PublicClient, { log, movement }: Told): Promise<Inflow> => {
    const { blockHash, blockNumber, transactionHash } = log
    const [receipt, { hash, timestamp }] = await Promise.all([
      askReceipt(client, transactionHash),
      askBlock(client, blockNumber)
    ])
    const position = receipt?.logs.findIndex(({ logIndex }) => logIndex === log.logIndex) ?? -1
    if (receipt?.blockHash !== blockHash || hash !== blockHash || position === -1)
      throw new Error("the chain was reorganised")
    const authorizationKey = authorizationBefore(receipt.logs, position, movement.from)
    return {
      transaction: transactionHash,
      position,
      index: authorizationKey === null ? position : position - 1,
      height: Number(blockNumber),
      blockHash,
      at: Number(timestamp) * 1000,
      payer: movement.from,
      amount: movement.amount,
      authorizationKey
    }
  }
  return async (client: PublicClient, told: Told): Promise<Inflow> => {
    const place = `${told.log.blockHash}:${told.log.logIndex}`
    const inflow = known.get(place) ?? (await read(client, told))
    if (known.size >= MOST_KNOWN) known.clear()
    known.set(place, inflow)
    return inflow
  }
}
type InflowOf = ReturnType<typeof makeInflowOf>

/** What an account moves to itself, or a stranger moves nothing of, is a log and no money. */
const isInflow = ({ movement }: Told, owner: Address): boolean =>
  movement.from !== owner && movement.amount > 0n

const readAt = async (client: PublicClient, inflowOf: InflowOf, span: Span) => {
  const owner = getAddress(span.owner.toLowerCase())
  const [before, after, incoming, outgoing] = await Promise.all([
    balanceAt(client, owner, span.from),
    balanceAt(client, owner, span.to),
    toldIn(client, span, [null, owner]),
    toldIn(client, span, [owner, null])
  ])
  // A node that leaves a log out is not believed: the account's own balance gives the sum of all logs.
  if (before + moved(incoming) - moved(outgoing) !== after) return undefined
  const inflows: Array<Inflow> = []
  for (const told of incoming) if (isInflow(told, owner)) inflows.push(await inflowOf(client, told))
  return inflows
}

const failed = (kind: UpstreamError["kind"], detail: string) =>
  new UpstreamError({ upstream: "base-rpc", kind, detail })

/**
 * Everything that came in, by the first node that proves that it left nothing out: the balance at the span's
 * start and at its end differ by exactly what its logs say.
 */
export const makeReadInflows = ({ nodes }: Pick<BaseRpc, "nodes">) => {
  const inflowOf = makeInflowOf()
  return (span: Span): Effect.Effect<Inflows, UpstreamError> => {
    const read = ({ client, host }: BaseRpc["nodes"][number]) =>
      Effect.tryPromise({
        try: () => readAt(client, inflowOf, span),
        catch: () => failed("transport", "transfers were not read")
      }).pipe(
        Effect.flatMap((inflows) =>
          inflows === undefined
            ? failed("rejected", "the listed transfers do not make up the balance")
            : Effect.succeed({ host, inflows })
        )
      )
    return Effect.firstSuccessOf(nodes.map(read))
  }
}
