import { Effect } from "effect"
import type { Address, Hex, PublicClient } from "viem"
import { getAddress, serializeTransaction } from "viem"
import type { BaseRpc } from "../../chain/chain-rpc.ts"
import { BASE_CHAIN_ID } from "../../domain/chain.ts"
import type { CheckoutTerms } from "../../domain/checkout.ts"
import { UpstreamError } from "../../domain/errors.ts"
import { withNow } from "../../domain/now.ts"
import { USDC_ABI, transferData, usdc } from "../base/usdc.ts"
import { isRevert } from "../../payment/verifier/evm/rpc-error.ts"
import { CheckoutConflict } from "../errors.ts"
import { lateAt, lookAt, type Sought } from "./base-look.ts"
import type { Refund } from "./refund.ts"
import { notEnough, type RefundChain, type Unsigned } from "./refund-chain.ts"

/** Room for gas between the estimate and the signature, in percent. */
const GAS_MARGIN = 130n
/** Code of an account that delegates to a contract and still signs by itself. Source: EIP-7702. */
const DELEGATED = "0xef0100"

const unanswered = (what: string) =>
  new UpstreamError({ upstream: "base-rpc", kind: "transport", detail: `refund: ${what}` })

const asked = <A>(what: string, ask: () => Promise<A>): Effect.Effect<A, UpstreamError> =>
  Effect.tryPromise({ try: ask, catch: () => unanswered(what) })

const refusedByToken = new CheckoutConflict({
  message:
    "USDC refuses this refund as things stand: the payer's account, or the merchant's, may be on its blacklist"
})

const addressOf = (text: string): Address => getAddress(text.toLowerCase())

const dataOf = ({ amount, payer }: Refund): Hex => transferData(addressOf(payer), amount)

/** Source: ERC-681. */
const uriOf = ({ amount, payer }: Refund): string =>
  `ethereum:${usdc}@${BASE_CHAIN_ID}/transfer?address=${addressOf(payer)}&uint256=${amount}`

/** A refund that its merchant cannot pay is not prepared. */
const makeEnough = (client: PublicClient) =>
  Effect.fnUntraced(function* (merchant: Address, amount: bigint) {
    const balance = yield* asked("balance", () =>
      client.readContract({ address: usdc, abi: USDC_ABI, functionName: "balanceOf", args: [merchant] })
    )
    if (balance < amount) return yield* notEnough
  })

/** Refunds on Base: a plain USDC transfer that carries the account's next nonce, so that two of them cannot both land. */
export const makeBaseRefunds = ({ client, nodes }: Pick<BaseRpc, "client" | "nodes">): RefundChain => {
  const enough = makeEnough(client)

  const isContract = async (address: Address): Promise<boolean> => {
    const code = (await client.getCode({ address })) ?? "0x"
    return code !== "0x" && !code.startsWith(DELEGATED)
  }

  /**
   * Empty for a contract wallet, which has no nonce of its own. What is pending may be told by a node that is behind the
   * block the refund is looked for from: a nonce that was used by then would never be seen to be used, and the refund
   * stand in the way of every other.
   */
  const nonceOf = async (merchant: Address, block: bigint): Promise<string> => {
    if (await isContract(merchant)) return ""
    const [used, pending] = await Promise.all([
      client.getTransactionCount({ address: merchant, blockNumber: block }),
      client.getTransactionCount({ address: merchant, blockTag: "pending" })
    ])
    return String(Math.max(used, pending))
  }

  const isKeyless = (payer: string) => asked("code", () => isContract(addressOf(payer)))

  const anchor = ({ payTo }: CheckoutTerms) =>
    asked("nonce", async () => {
      const block = await client.getBlockNumber({ cacheTime: 0 })
      return {
        lifetime: await nonceOf(addressOf(payTo), block),
        validUntil: null,
        lookedTo: Number(block)
      }
    })

  const unsigned = Effect.fnUntraced(function* (refund: Refund, { payTo }: CheckoutTerms) {
    const merchant = addressOf(payTo)
    yield* enough(merchant, refund.amount)
    const data = dataOf(refund)
    const call = { to: usdc, data, value: "0", uri: uriOf(refund) }
    if (refund.lifetime === "") return { transaction: null, call } satisfies Unsigned
    const [gas, fees] = yield* Effect.tryPromise({
      try: () =>
        Promise.all([
          client.estimateGas({ account: merchant, to: usdc, data }),
          client.estimateFeesPerGas({ type: "eip1559", chain: null })
        ]),
      catch: (error) => (isRevert(error) ? refusedByToken : unanswered("fees"))
    })
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

  const inTurn =
    <A>(ask: (node: PublicClient, sought: Sought, now: number) => Promise<A>) =>
    (refund: Refund, { payTo }: CheckoutTerms) =>
      withNow((now) => {
        const sought = { refund, merchant: addressOf(payTo), payer: addressOf(refund.payer) }
        return Effect.firstSuccessOf(nodes.map((node) => asked("logs", () => ask(node.client, sought, now))))
      })

  return { isKeyless, anchor, unsigned, look: inTurn(lookAt), lookLate: inTurn(lateAt) }
}
