import { encodeFunctionData, type Hex, parseAbi } from "viem"
import { keccakHex } from "../../../chain/keccak.ts"
import { sum } from "../../../domain/bigint.ts"
import { MULTICALL3 } from "../../../domain/base-contracts.ts"
import { BASE_CHAIN_ID, BASE_NETWORK } from "../../../domain/chain.ts"
import type { Evidence } from "../../outcome.ts"
import { useIn } from "../../verifier/evm/evidence.ts"
import type { Offer } from "./offers.ts"
import type { Attempt, Job } from "./job.ts"
import type { Address } from "./journal.ts"
import type { Receipt } from "./node.ts"
import type { SigningKey } from "./signing-key.ts"

const multicall3 = parseAbi([
  "function aggregate3((address target, bool allowFailure, bytes callData)[] calls) payable returns ((bool success, bytes returnData)[])"
])

/** Gas of a transaction that moves nothing. */
export const CANCEL_GAS = 21_000n

/**
 * What is added to an estimate: for storage that is first written at inclusion, and for the 64th part each inner call
 * keeps back.
 */
export const withRoom = (gas: bigint): bigint => (gas * 5n) / 4n

/** What a transaction calls and how much gas it may use. */
export interface Content {
  readonly to: Hex
  readonly data: Hex
  readonly gas: bigint
}

/** One payment goes to USDC directly; several through Multicall3, where one that fails leaves the others alone. */
export const contentOf = (jobs: ReadonlyArray<Job>): Content => {
  const [first, ...others] = jobs
  const gas = withRoom(sum(jobs.map((job) => job.gas)))
  if (first !== undefined && others.length === 0) return { to: first.asset, data: first.data, gas }
  const calls = jobs.map(({ asset, data }) => ({ target: asset, allowFailure: true, callData: data }))
  const data = encodeFunctionData({ abi: multicall3, functionName: "aggregate3", args: [calls] })
  return { to: MULTICALL3, data, gas }
}

/** Signs a transaction of a key. Its hash is known before anything is sent. */
export const sign = async (
  account: SigningKey,
  nonce: number,
  kind: Attempt["kind"],
  content: Content,
  { maxFee, tip }: Offer
): Promise<Omit<Attempt, "createdAt" | "sentAt">> => {
  const raw = await account.signTransaction({
    ...content,
    type: "eip1559",
    chainId: BASE_CHAIN_ID,
    nonce,
    maxFeePerGas: maxFee,
    maxPriorityFeePerGas: tip
  })
  return { hash: keccakHex(raw), raw, kind, maxFee, tip }
}

/** Takes a nonce and moves nothing. */
export const cancellation = (address: Address): Content => ({ to: address, data: "0x", gas: CANCEL_GAS })

/** The transfer of one job in a receipt; `undefined` where its logs do not prove it. */
export const evidenceIn = (receipt: Receipt, job: Job): Evidence | undefined => {
  const { amount, asset, nonce, payer, payTo } = job
  const authorized = { asset, payer, nonce, payTo, amount: String(amount) }
  const use = receipt.succeeded ? useIn(receipt.logs, authorized) : undefined
  return use?.kind === "paid"
    ? {
        network: BASE_NETWORK,
        transaction: receipt.hash,
        index: use.index,
        height: receipt.height,
        blockHash: receipt.blockHash,
        payer,
        payTo,
        amount: String(amount)
      }
    : undefined
}
