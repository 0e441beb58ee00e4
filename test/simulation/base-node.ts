/** JSON-RPC endpoints over the simulated Base that are late, behind, forgetful, and lie about what they miss. */
import {
  type Chain,
  createPublicClient,
  custom,
  decodeFunctionData,
  encodeFunctionResult,
  erc20Abi,
  type Hex,
  hexToNumber,
  numberToHex,
  type PublicClient,
  RpcRequestError,
  HttpRequestError
} from "viem"
import { Schema } from "effect"
import { base } from "viem/chains"
import { SELECTORS } from "../../src/chain/selectors.ts"
import { asHex, usdcAbi } from "../../src/payment/verifier/evm/usdc.ts"
import { readRaw, readTransfer, SAFE_DEPTH, type SimBase, type SimBlock, useKey } from "./base-chain.ts"
import { blockOf, receiptOf } from "./base-json.ts"
import type { VirtualTime } from "./clock.ts"
import type { Dice } from "./dice.ts"

/** Wei that publishing a transfer on Ethereum costs: 0.0003 USD. */
export const DATA_FEE = 100_000_000_000n

// Without the OP formatters a client is a plain one, as the service's.
const chain: Chain = base

/** How badly endpoints behave; all zero is a good day. Probabilities per request. */
export interface Faults {
  /** No answer, and nothing was done. */
  lost: number
  /** It was done, and the answer was lost. */
  unanswered: number
  /** It arrives twice. */
  repeated: number
  /** An answer that says less than the endpoint knows. */
  lie: number
  /** Most blocks an endpoint is behind. */
  lag: number
  /** Longest way, in milliseconds. */
  latency: number
}

interface Endpoint {
  behind: number
}

const revert = (message: string) =>
  new RpcRequestError({
    body: {},
    error: { code: 3, message: `execution reverted: ${message}` },
    url: "simulated"
  })
const refuse = (message: string) =>
  new RpcRequestError({ body: {}, error: { code: -32000, message }, url: "simulated" })
const lost = () => new HttpRequestError({ url: "simulated", details: "connection reset" })

type Params = ReadonlyArray<unknown>

/** What the endpoints of one chain share: the chain, what goes wrong, and the dice and the time by which it does. */
export abstract class FaultyNodes<SimChain> {
  protected readonly chain: SimChain
  protected readonly dice: Dice
  protected readonly time: VirtualTime
  protected readonly faults: Faults

  constructor(chain: SimChain, dice: Dice, time: VirtualTime, faults: Faults) {
    this.chain = chain
    this.dice = dice
    this.time = time
    this.faults = faults
  }
}

export class SimNodes extends FaultyNodes<SimBase> {
  private readonly endpoints: readonly [Endpoint, Endpoint] = [{ behind: 0 }, { behind: 0 }]

  /** A client of one process. `endpoint`: always that one; else whichever answers. */
  client(step: () => Promise<void>, endpoint?: 0 | 1): PublicClient {
    const request = async ({ method, params }: { method: string; params?: unknown }): Promise<unknown> => {
      await step()
      const { dice, faults } = this
      const chosen = this.endpoints[endpoint ?? (dice.hits(0.8) ? 0 : 1)]
      if (dice.hits(0.05)) chosen.behind = dice.between(0, faults.lag)
      await this.time.wait(dice.between(1, faults.latency))
      if (dice.hits(faults.lost)) throw lost()
      const list = Array.isArray(params) ? params : []
      if (dice.hits(faults.repeated)) this.quietly(chosen, method, list)
      const answer = this.answer(chosen, method, list)
      await this.time.wait(dice.between(1, faults.latency))
      await step()
      if (dice.hits(faults.unanswered)) throw lost()
      return answer
    }
    return createPublicClient({
      chain,
      cacheTime: 0,
      transport: custom({ request }, { retryCount: 0 })
    })
  }

  private quietly(endpoint: Endpoint, method: string, params: Params): void {
    try {
      this.answer(endpoint, method, params)
    } catch {
      // The first of two identical requests: nobody hears its answer.
    }
  }

  private viewOf({ behind }: Endpoint): SimBlock {
    return this.chain.at(this.chain.head.number - Math.min(behind, this.chain.head.number)) ?? this.chain.head
  }

  private block(endpoint: Endpoint, at: unknown): SimBlock {
    const head = this.viewOf(endpoint)
    if (at === "safe") return this.chain.at(Math.max(0, head.number - SAFE_DEPTH)) ?? head
    if (at === "latest" || at === "pending" || at === undefined) return head
    if (typeof at === "object" && at !== null && "blockHash" in at) {
      const found = this.chain.blocks.find(({ hash }) => hash === at.blockHash)
      if (found === undefined || found.number > head.number) throw refuse("header not found")
      return found
    }
    const number = hexToNumber(asHex(String(at)))
    const found = this.chain.at(number)
    if (found === undefined || number > head.number) throw refuse("header not found")
    return found
  }

  private answer(endpoint: Endpoint, method: string, params: Params): unknown {
    const [first, second] = params
    switch (method) {
      case "eth_feeHistory": {
        const { baseFee, number } = this.viewOf(endpoint)
        const history = [numberToHex(baseFee), numberToHex(this.chain.baseFee)]
        return {
          oldestBlock: numberToHex(number),
          baseFeePerGas: history,
          gasUsedRatio: [0],
          reward: [["0x1"]]
        }
      }
      case "eth_getBlockByNumber":
        return blockOf(this.block(endpoint, first))
      case "eth_blockNumber":
        return numberToHex(this.viewOf(endpoint).number)
      case "eth_getTransactionCount":
        return numberToHex(
          this.block(endpoint, second).state.nonces.get(asHex(String(first).toLowerCase())) ?? 0
        )
      case "eth_getBalance":
        return "0xde0b6b3a7640000"
      case "eth_getCode":
        return "0x"
      case "eth_getTransactionReceipt":
        return this.receipt(endpoint, String(first))
      case "eth_sendRawTransaction":
        return this.send(asHex(String(first)))
      case "eth_estimateGas":
        return this.estimate(endpoint, first)
      case "eth_call":
        return this.call(endpoint, first, second)
      case "eth_getLogs":
        return this.logs(endpoint, first)
      default:
        throw refuse(`the method ${method} does not exist`)
    }
  }

  private receipt(endpoint: Endpoint, hash: string) {
    if (this.dice.hits(this.faults.lie)) return null
    for (const { block, receipt } of this.chain.receipts(this.viewOf(endpoint).number)) {
      if (receipt.transaction.hash === hash) return receiptOf(block, receipt)
    }
    return null
  }

  private send(raw: Hex) {
    const transaction = readRaw(raw)
    if (this.dice.hits(this.faults.lie)) {
      // Says it has it and forgets it, or has it and says it refused.
      if (this.dice.hits(0.5)) return transaction.hash
      this.chain.submit(transaction)
      throw refuse("txpool is full")
    }
    const answer = this.chain.submit(transaction)
    if (answer !== "taken") throw refuse(answer)
    return transaction.hash
  }

  private estimate(endpoint: Endpoint, call: unknown) {
    const refusal = this.simulate(endpoint, dataOf(call))
    if (refusal !== undefined) throw revert(refusal)
    return numberToHex(75_000)
  }

  /** Why a transfer would fail as the endpoint sees the chain; `undefined` when it would not. */
  private simulate(endpoint: Endpoint, data: Hex): string | undefined {
    return this.chain.refusal(this.viewOf(endpoint), readTransfer(data))
  }

  private call(endpoint: Endpoint, call: unknown, at: unknown): Hex {
    const data = dataOf(call)
    const block = this.block(endpoint, at)
    const selector = data.slice(0, 10)
    if (selector === "0x70a08231") {
      const { args } = decodeFunctionData({ abi: erc20Abi, data })
      const owner = asHex(String(args?.[0]).toLowerCase())
      const result = block.state.balances.get(owner) ?? 0n
      return encodeFunctionResult({ abi: erc20Abi, functionName: "balanceOf", result })
    }
    if (selector === "0xe94a0102") {
      const { args } = decodeFunctionData({ abi: usdcAbi, data })
      const [payer, nonce] = [asHex(String(args[0]).toLowerCase()), asHex(String(args[1]).toLowerCase())]
      const result = block.state.used.has(useKey({ payer, nonce }))
      return encodeFunctionResult({ abi: usdcAbi, functionName: "authorizationState", result })
    }
    if (selector === SELECTORS["getL1FeeUpperBound(uint256)"]) return numberToHex(DATA_FEE, { size: 32 })
    const refusal = this.simulate(endpoint, data)
    if (refusal !== undefined) throw revert(refusal)
    return "0x"
  }

  private logs(endpoint: Endpoint, filter: unknown) {
    if (this.dice.hits(this.faults.lie)) return []
    const { fromBlock, toBlock, topics } = decodeFilter(filter)
    const found = []
    for (const { block, receipt } of this.chain.receipts(this.viewOf(endpoint).number)) {
      if (block.number < hexToNumber(fromBlock) || block.number > hexToNumber(toBlock)) continue
      for (const log of receiptOf(block, receipt).logs) {
        const matches = topics.every((wanted, at) => [wanted].flat().includes(log.topics[at] ?? "0x"))
        if (matches) found.push(log)
      }
    }
    return found
  }
}

const decodeFilter = Schema.decodeUnknownSync(
  Schema.Struct({
    fromBlock: Schema.TemplateLiteral("0x", Schema.String),
    toBlock: Schema.TemplateLiteral("0x", Schema.String),
    topics: Schema.Array(Schema.Union(Schema.String, Schema.Array(Schema.String)))
  })
)

const dataOf = (call: unknown): Hex =>
  typeof call === "object" && call !== null && "data" in call ? asHex(String(call.data)) : "0x"
