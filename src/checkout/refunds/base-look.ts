import type { Address, PublicClient } from "viem"
import { getAddress, pad } from "viem"
import { isBehind } from "../../chain/development-node.ts"
import { askBlock, askTransactions, type EvmTransaction } from "../../chain/evm-blocks.ts"
import { TRANSFER } from "../../chain/evm-events.ts"
import { askLogs, askReceipt, type EvmLog } from "../../chain/evm-logs.ts"
import { malformed } from "../../chain/evm-wire.ts"
import { BASE_NETWORK } from "../../domain/chain.ts"
import { movementIn, transferData, usdc } from "../base/usdc.ts"
import type { SeenRefund } from "../paid-record.ts"
import type { Refund } from "./refund.ts"
import type { LateLook, RefundLook } from "./refund-chain.ts"

/** A refund and the two wallets it goes between. */
export interface Sought {
  readonly refund: Refund
  readonly merchant: Address
  readonly payer: Address
}

const reorganised = () => new Error("the chain was reorganised")

/** Named by its place among its own transaction's logs, which a reorganisation leaves as it is. */
const asSeen = async (
  client: PublicClient,
  { merchant, payer, refund }: Sought,
  found: EvmLog
): Promise<SeenRefund> => {
  const { blockHash, blockNumber, transactionHash: transaction } = found
  const [{ hash, timestamp }, receipt] = await Promise.all([
    askBlock(client, blockNumber),
    askReceipt(client, transaction)
  ])
  if (receipt?.blockHash !== blockHash || hash !== blockHash) throw reorganised()
  const index = receipt.logs.findIndex(({ logIndex }) => logIndex === found.logIndex)
  if (index === -1) throw reorganised()
  return {
    transfer: {
      evidence: `${BASE_NETWORK}:${transaction}:${index}`,
      checkoutId: refund.checkoutId,
      via: "refund",
      transaction,
      payer: refund.payer,
      amount: refund.amount,
      at: Number(timestamp) * 1000
    },
    place: {
      network: BASE_NETWORK,
      transaction,
      index,
      height: Number(blockNumber),
      blockHash,
      payer: merchant.toLowerCase(),
      payTo: payer.toLowerCase(),
      amount: refund.amount.toString()
    }
  }
}

/** Blocks one `eth_getLogs` may span; public nodes refuse more. One look reads this many spans. */
const LOG_SPAN = 2_000
const SPANS_A_LOOK = 10

const isSought =
  ({ merchant, payer, refund }: Sought) =>
  (log: EvmLog): boolean => {
    const movement = movementIn(log)
    return movement?.from === merchant && movement.to === payer && movement.amount === refund.amount
  }

const isRefundCall = ({ payer, refund }: Sought, { input, to }: EvmTransaction): boolean =>
  to !== null && getAddress(to) === usdc && input.startsWith(transferData(payer, refund.amount))

const listed = async (client: PublicClient, sought: Sought, from: number, to: number) => {
  const logs = await askLogs(client, {
    address: usdc,
    topics: [TRANSFER, pad(sought.merchant), pad(sought.payer)],
    fromBlock: BigInt(from),
    toBlock: BigInt(to)
  })
  return Promise.all(logs.filter(isSought(sought)).map((log) => asSeen(client, sought, log)))
}

const noncesUsed = (client: PublicClient, address: Address, height: number): Promise<number> =>
  client.getTransactionCount({ address, blockNumber: BigInt(height) })

/** The block in which the merchant's nonce was used, somewhere above one block and not above another. */
const blockOfNonce = async (
  client: PublicClient,
  merchant: Address,
  nonce: number,
  from: number,
  to: number
) => {
  let [unused, used] = [from, to]
  while (used - unused > 1) {
    const middle = Math.floor((unused + used) / 2)
    if ((await noncesUsed(client, merchant, middle)) > nonce) used = middle
    else unused = middle
  }
  return used
}

/**
 * What used the refund's nonce. That no log was listed proves nothing: a node may list no logs at all. The transaction
 * itself shows what it moved: this refund, or something else in whose place the refund never lands.
 */
const whatUsedTheNonce = async (client: PublicClient, sought: Sought, from: number, to: number) => {
  const { merchant, refund } = sought
  const nonce = Number(refund.lifetime)
  const height = await blockOfNonce(client, merchant, nonce, from, to)
  const transactions = await askTransactions(client, BigInt(height))
  const sent = transactions.find((one) => getAddress(one.from) === merchant && one.nonce === BigInt(nonce))
  // An authorization of EIP-7702 uses a nonce too, in somebody else's transaction: then nothing is concluded.
  if (sent === undefined) return undefined
  const receipt = await askReceipt(client, sent.hash)
  if (receipt?.blockNumber !== BigInt(height)) return undefined
  const found = receipt.logs.filter(isSought(sought))
  // USDC tells every movement: a node that leaves this one out is not believed.
  if (found.length === 0 && receipt.passed && isRefundCall(sought, sent)) return undefined
  return Promise.all(found.map((log) => asSeen(client, sought, log)))
}

/**
 * What one node lists of a refund: what one says must not be completed by another. Nodes index logs late, so that what is
 * above the final block is read again. A refund that ended is looked for in the same way: a wallet that was given the call
 * may have sent it with a nonce of its own.
 */
const listAt = async (client: PublicClient, sought: Sought): Promise<LateLook> => {
  const { refund } = sought
  const [{ number: final }, head] = await Promise.all([
    askBlock(client, "finalized"),
    client.getBlockNumber({ cacheTime: 0 })
  ])
  const end = Math.min(Number(head), refund.lookedTo + LOG_SPAN * SPANS_A_LOOK)
  const candidates: Array<SeenRefund> = []
  for (let from = refund.lookedTo + 1; from <= end; from += LOG_SPAN) {
    candidates.push(...(await listed(client, sought, from, Math.min(end, from + LOG_SPAN - 1))))
  }
  const lookedTo = Math.max(refund.lookedTo, Math.min(end, Number(final)))
  return { candidates, lookedTo, isToHead: end === Number(head) }
}

/**
 * One node's look for a refund that ended. A node that is late does not show what was sent just now, and what it does not
 * list proves nothing: rejects.
 */
export const lateAt = async (client: PublicClient, sought: Sought, now: number): Promise<LateLook> => {
  const { number, timestamp } = await askBlock(client, "latest")
  if (Number(number) < sought.refund.lookedTo || (await isBehind(client, timestamp, now)))
    throw malformed("eth_getBlockByNumber: of a node that is behind")
  return listAt(client, sought)
}

/** One node's look. */
export const lookAt = async (client: PublicClient, sought: Sought): Promise<RefundLook> => {
  const { merchant, refund } = sought
  const { candidates, lookedTo } = await listAt(client, sought)
  const isUsed =
    refund.lifetime !== "" &&
    lookedTo > refund.lookedTo &&
    (await noncesUsed(client, merchant, lookedTo)) > Number(refund.lifetime)
  if (!isUsed) return { candidates, lookedTo, state: "open" }
  const shown = await whatUsedTheNonce(client, sought, refund.lookedTo, lookedTo)
  // Where it stayed unknown what used the nonce, the blocks in question are looked through again.
  if (shown === undefined) return { candidates, lookedTo: refund.lookedTo, state: "open" }
  // The journal says whose refund each of them is; a refund that is not among them can no longer land.
  return { candidates: [...shown, ...candidates], lookedTo, state: "void" }
}
