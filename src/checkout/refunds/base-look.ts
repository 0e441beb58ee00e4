import type { Address, Hash, PublicClient } from "viem"
import { getAddress, parseEventLogs } from "viem"
import { BASE_NETWORK } from "../../domain/chain.ts"
import { TRANSFER, usdc } from "../base/usdc.ts"
import type { SeenRefund } from "../paid-record.ts"
import type { Refund } from "./refund.ts"
import type { RefundLook } from "./refund-chain.ts"

/** A refund and the two wallets it goes between. */
export interface Sought {
  readonly refund: Refund
  readonly merchant: Address
  readonly payer: Address
}

/** A USDC transfer as any log shows it. */
interface Found {
  readonly blockNumber: bigint
  readonly logIndex: number
  readonly transactionHash: Hash
}

/** Named by its place among its own transaction's logs, which a reorganisation leaves as it is. */
const asSeen = async (
  client: PublicClient,
  { merchant, payer, refund }: Sought,
  found: Found
): Promise<SeenRefund> => {
  const [{ hash, timestamp }, { logs }] = await Promise.all([
    client.getBlock({ blockNumber: found.blockNumber }),
    client.getTransactionReceipt({ hash: found.transactionHash })
  ])
  const transaction = found.transactionHash.toLowerCase()
  const index = logs.findIndex(({ logIndex }) => logIndex === found.logIndex)
  if (index === -1) throw new Error("the chain was reorganised")
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
      height: Number(found.blockNumber),
      blockHash: hash.toLowerCase(),
      payer: merchant.toLowerCase(),
      payTo: payer.toLowerCase(),
      amount: refund.amount.toString()
    }
  }
}

/** Blocks one `eth_getLogs` may span; public nodes refuse more. One look reads this many spans. */
const LOG_SPAN = 2_000
const SPANS_A_LOOK = 10

const listed = async (client: PublicClient, sought: Sought, from: number, to: number) => {
  const logs = await client.getLogs({
    address: usdc,
    event: TRANSFER,
    args: { from: sought.merchant, to: sought.payer },
    fromBlock: BigInt(from),
    toBlock: BigInt(to)
  })
  const matching = logs.filter(({ args }) => args.value === sought.refund.amount)
  return Promise.all(matching.map((log) => asSeen(client, sought, log)))
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
  const { merchant, payer, refund } = sought
  const nonce = Number(refund.lifetime)
  const height = await blockOfNonce(client, merchant, nonce, from, to)
  const { transactions } = await client.getBlock({ blockNumber: BigInt(height), includeTransactions: true })
  const sent = transactions.find((one) => getAddress(one.from) === merchant && one.nonce === nonce)
  // An authorization of EIP-7702 uses a nonce too, in somebody else's transaction: then nothing is concluded.
  if (sent === undefined) return undefined
  const { logs } = await client.getTransactionReceipt({ hash: sent.hash })
  const refunds = parseEventLogs({ abi: [TRANSFER], eventName: "Transfer", logs }).filter(
    ({ address, args }) =>
      getAddress(address) === usdc &&
      getAddress(args.from) === merchant &&
      getAddress(args.to) === payer &&
      args.value === refund.amount
  )
  return Promise.all(refunds.map((log) => asSeen(client, sought, log)))
}

/**
 * One node's look: what one says must not be completed by another. Nodes index logs late, so that what is above the
 * final block is read again.
 */
export const lookAt = async (client: PublicClient, sought: Sought): Promise<RefundLook> => {
  const { merchant, refund } = sought
  const [{ number: final }, head] = await Promise.all([
    client.getBlock({ blockTag: "finalized" }),
    client.getBlockNumber({ cacheTime: 0 })
  ])
  const end = Math.min(Number(head), refund.lookedTo + LOG_SPAN * SPANS_A_LOOK)
  const candidates: Array<SeenRefund> = []
  for (let from = refund.lookedTo + 1; from <= end; from += LOG_SPAN) {
    candidates.push(...(await listed(client, sought, from, Math.min(end, from + LOG_SPAN - 1))))
  }
  const lookedTo = Math.max(refund.lookedTo, Math.min(end, Number(final)))
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
