import { Effect } from "effect"
import type { Address, Hex, PublicClient } from "viem"
import { encodeFunctionData, getAddress, parseAbiItem, serializeTransaction } from "viem"
import type { BaseRpc } from "../../chain/chain-rpc.ts"
import { BASE_CHAIN_ID, BASE_NETWORK, BASE_USDC } from "../../domain/chain.ts"
import type { CheckoutTerms } from "../../domain/checkout.ts"
import { UpstreamError } from "../../domain/errors.ts"
import { CheckoutConflict } from "../errors.ts"
import type { Transfer } from "../journal.ts"
import type { Refund } from "./refund.ts"
import type { RefundChain, Unsigned } from "./refund-chain.ts"

/** Blocks one `eth_getLogs` may span; public nodes refuse more. One look reads this many spans. */
const LOG_SPAN = 2_000
const SPANS_A_LOOK = 10
/** Room for gas between the estimate and the signature, in percent. */
const GAS_MARGIN = 130n
/** Code of an account that delegates to a contract and still signs by itself. Source: EIP-7702. */
const DELEGATED = "0xef0100"

const TRANSFER = parseAbiItem("event Transfer(address indexed from, address indexed to, uint256 value)")
const transfer = parseAbiItem("function transfer(address to, uint256 value) returns (bool)")
const usdc = getAddress(BASE_USDC)

const asked = <A>(what: string, ask: () => Promise<A>): Effect.Effect<A, UpstreamError> =>
  Effect.tryPromise({
    try: ask,
    catch: () => new UpstreamError({ upstream: "base-rpc", kind: "transport", detail: `refund: ${what}` })
  })

const addressOf = (text: string): Address => getAddress(text.toLowerCase())

const dataOf = ({ amount, payer }: Refund): Hex =>
  encodeFunctionData({ abi: [transfer], functionName: "transfer", args: [addressOf(payer), amount] })

/** Source: ERC-681. */
const uriOf = ({ amount, payer }: Refund): string =>
  `ethereum:${usdc}@${BASE_CHAIN_ID}/transfer?address=${addressOf(payer)}&uint256=${amount}`

const transfersIn = async (
  client: PublicClient,
  refund: Refund,
  merchant: Address,
  from: number,
  to: number
) => {
  const logs = await client.getLogs({
    address: usdc,
    event: TRANSFER,
    args: { from: merchant, to: addressOf(refund.payer) },
    fromBlock: BigInt(from),
    toBlock: BigInt(to)
  })
  const matching = logs.filter(({ args }) => args.value === refund.amount)
  return Promise.all(
    matching.map(async ({ blockNumber, logIndex, transactionHash }): Promise<Transfer> => {
      const { timestamp } = await client.getBlock({ blockNumber })
      return {
        evidence: `${BASE_NETWORK}:${transactionHash.toLowerCase()}:${logIndex}`,
        checkoutId: refund.checkoutId,
        via: "refund",
        transaction: transactionHash.toLowerCase(),
        payer: refund.payer,
        amount: refund.amount,
        at: Number(timestamp) * 1000
      }
    })
  )
}

/** Something else took the nonce, in a block that cannot be undone any more. */
const isVoid = async (client: PublicClient, { lifetime }: Refund, merchant: Address, final: number) =>
  lifetime !== "" &&
  (await client.getTransactionCount({ address: merchant, blockNumber: BigInt(final) })) > Number(lifetime)

/**
 * One node's look: what one says must not be completed by another. Nodes index logs late, so that no transfer was made
 * is believed of final blocks only, and those above are read again.
 */
const lookAt = async (client: PublicClient, refund: Refund, merchant: Address) => {
  const [{ number: final }, head] = await Promise.all([
    client.getBlock({ blockTag: "finalized" }),
    client.getBlockNumber({ cacheTime: 0 })
  ])
  const end = Math.min(Number(head), refund.lookedTo + LOG_SPAN * SPANS_A_LOOK)
  const candidates: Array<Transfer> = []
  for (let from = refund.lookedTo + 1; from <= end; from += LOG_SPAN) {
    const to = Math.min(end, from + LOG_SPAN - 1)
    candidates.push(...(await transfersIn(client, refund, merchant, from, to)))
  }
  const lookedTo = Math.max(refund.lookedTo, Math.min(end, Number(final)))
  const isWhole = candidates.length === 0 && Number(final) <= lookedTo
  const state = isWhole && (await isVoid(client, refund, merchant, Number(final))) ? "void" : "open"
  return { candidates, lookedTo, state } as const
}

/** Refunds on Base: a plain USDC transfer that carries the account's next nonce, so that two of them cannot both land. */
export const makeBaseRefunds = ({ client, nodes }: Pick<BaseRpc, "client" | "nodes">): RefundChain => {
  /** Empty for a contract wallet, which has no nonce of its own. */
  const nonceOf = async (merchant: Address): Promise<string> => {
    const code = (await client.getCode({ address: merchant })) ?? "0x"
    if (code !== "0x" && !code.startsWith(DELEGATED)) return ""
    return String(await client.getTransactionCount({ address: merchant, blockTag: "pending" }))
  }

  const anchor = ({ payTo }: CheckoutTerms) =>
    asked("nonce", async () => {
      const lookedTo = Number(await client.getBlockNumber({ cacheTime: 0 }))
      return { lifetime: await nonceOf(addressOf(payTo)), validUntil: null, lookedTo }
    })

  const enough = Effect.fnUntraced(function* (merchant: Address, amount: bigint) {
    const balance = yield* asked("balance", () =>
      client.readContract({
        address: usdc,
        abi: [parseAbiItem("function balanceOf(address) view returns (uint256)")],
        functionName: "balanceOf",
        args: [merchant]
      })
    )
    if (balance >= amount) return
    return yield* new CheckoutConflict({
      message: "the merchant's account does not hold enough USDC to refund"
    })
  })

  const unsigned = Effect.fnUntraced(function* (refund: Refund, { payTo }: CheckoutTerms) {
    const merchant = addressOf(payTo)
    yield* enough(merchant, refund.amount)
    const data = dataOf(refund)
    const call = { to: usdc, data, value: "0", uri: uriOf(refund) }
    if (refund.lifetime === "") return { transaction: null, call } satisfies Unsigned
    const [gas, fees] = yield* asked("fees", () =>
      Promise.all([
        client.estimateGas({ account: merchant, to: usdc, data }),
        client.estimateFeesPerGas({ type: "eip1559", chain: null })
      ])
    )
    const transaction = serializeTransaction({
      type: "eip1559",
      chainId: BASE_CHAIN_ID,
      nonce: Number(refund.lifetime),
      to: usdc,
      data,
      gas: (gas * GAS_MARGIN) / 100n,
      maxFeePerGas: fees.maxFeePerGas,
      maxPriorityFeePerGas: fees.maxPriorityFeePerGas
    })
    return { transaction, call } satisfies Unsigned
  })

  const look = (refund: Refund, { payTo }: CheckoutTerms) =>
    Effect.firstSuccessOf(
      nodes.map((node) => asked("logs", () => lookAt(node.client, refund, addressOf(payTo))))
    )

  return { anchor, unsigned, look }
}
