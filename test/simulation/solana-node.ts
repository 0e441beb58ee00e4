/** JSON-RPC endpoints over the simulated Solana that are late, behind, forgetful, and lie about what they miss. */
import { getBase58Encoder } from "@solana/kit"
import { Effect, Schema } from "effect"
import type { RpcCall } from "../../src/chain/rpc-call.ts"
import { SOLANA_USDC } from "../../src/domain/chain.ts"
import { UpstreamError } from "../../src/domain/errors.ts"
import { pageOf } from "../support/solana/listing.ts"
import { FaultyNodes } from "./base-node.ts"
import { CONFIRMED_DEPTH, FINAL_DEPTH, type Landed, type SimSolana, SLOT_MILLIS } from "./solana-chain.ts"

/** Slots in the time of a block of Base, in which `Faults.lag` is counted. */
const SLOTS_PER_LAG = 5

interface Endpoint {
  behind: number
  /** Slots its index of accounts is behind its own bank. */
  indexBehind: number
}

type Params = ReadonlyArray<unknown>

const outage = (kind: UpstreamError["kind"], detail: string) =>
  new UpstreamError({ upstream: "solana-rpc", kind, detail })

const commitmentOf = (options: unknown): unknown =>
  typeof options === "object" && options !== null && "commitment" in options ? options.commitment : undefined

export class SimSolanaNodes extends FaultyNodes<SimSolana> {
  private readonly endpoints: readonly [Endpoint, Endpoint] = [
    { behind: 0, indexBehind: 0 },
    { behind: 0, indexBehind: 0 }
  ]

  /** Calls of one process. `endpoint`: always that one; else whichever answers. */
  call(step: () => Promise<void>, endpoint?: 0 | 1): RpcCall {
    const request = async (method: string, params: Params): Promise<unknown> => {
      await step()
      const { dice, faults } = this
      const chosen = this.endpoints[endpoint ?? (dice.hits(0.8) ? 0 : 1)]
      if (dice.hits(0.05)) {
        chosen.behind = SLOTS_PER_LAG * dice.between(0, faults.lag)
        chosen.indexBehind = dice.hits(faults.lie) ? dice.between(1, 400) : 0
      }
      await this.time.wait(dice.between(1, faults.latency))
      if (dice.hits(faults.lost)) throw outage("transport", "connection reset")
      if (dice.hits(faults.repeated) && method === "sendTransaction")
        this.chain.submit(this.chain.read(String(params[0])))
      const answer = this.answer(chosen, method, params)
      await this.time.wait(dice.between(1, faults.latency))
      await step()
      if (dice.hits(faults.unanswered)) throw outage("transport", "connection reset")
      return answer
    }
    return (method, params, result) =>
      Effect.tryPromise({
        try: () => request(method, params),
        catch: (error) => (error instanceof UpstreamError ? error : outage("rejected", String(error)))
      }).pipe(
        Effect.flatMap((answer) =>
          Effect.mapError(Schema.decodeUnknown(result)(answer), () => outage("malformed", method))
        )
      )
  }

  private slotOf({ behind }: Endpoint, commitment?: unknown): number {
    const depth = commitment === "finalized" ? FINAL_DEPTH : commitment === "confirmed" ? CONFIRMED_DEPTH : 0
    return this.chain.slot - behind - depth
  }

  private answer(endpoint: Endpoint, method: string, params: Params): unknown {
    const [first, options] = params
    const inContext = (value: unknown, slot = this.slotOf(endpoint, commitmentOf(options))) => ({
      context: { slot },
      value
    })
    switch (method) {
      case "getSlot":
        return this.slotOf(endpoint, commitmentOf(first))
      case "getBalance":
        return inContext(1_000_000_000)
      case "getFirstAvailableBlock":
        return 0
      case "getBlockTime":
        return (
          Math.floor(this.time.now / 1_000) -
          Math.floor(((this.chain.slot - Number(first)) * SLOT_MILLIS) / 1_000)
        )
      case "isBlockhashValid": {
        const slot = this.slotOf(endpoint, commitmentOf(options))
        return inContext(this.chain.isAlive(String(first), slot), slot)
      }
      case "simulateTransaction": {
        const slot = this.slotOf(endpoint, "confirmed")
        return inContext({ err: this.chain.refusal(this.chain.read(String(first)), slot) ?? null }, slot)
      }
      case "getMultipleAccounts":
        return inContext((Array.isArray(first) ? first : []).map((one) => this.tokenAccount(String(one))))
      case "sendTransaction":
        return this.send(endpoint, String(first), options)
      case "getSignatureStatuses":
        return inContext(this.statuses(endpoint, first), this.slotOf(endpoint))
      case "getSignaturesForAddress":
        return pageOf(this.signatures(endpoint, String(first)), options)
      case "getTransaction":
        return this.transaction(endpoint, String(first))
      default:
        throw outage("rejected", `the method ${method} does not exist`)
    }
  }

  private tokenAccount(address: string): unknown {
    const owner = this.chain.owners.get(address)
    if (owner === undefined) return null
    const bytes = Buffer.alloc(165)
    bytes.set(getBase58Encoder().encode(owner), 32)
    bytes.writeBigUInt64LE(this.chain.balances.get(address) ?? 0n, 64)
    return { data: [bytes.toString("base64"), "base64"] }
  }

  private send(endpoint: Endpoint, wire: string, options: unknown): string {
    const transfer = this.chain.read(wire)
    const isChecked =
      typeof options === "object" && options !== null && "skipPreflight" in options && !options.skipPreflight
    const refusal = isChecked ? this.chain.refusal(transfer, this.slotOf(endpoint, "confirmed")) : undefined
    if (refusal !== undefined && refusal !== "AlreadyProcessed") throw outage("rejected", refusal)
    if (this.dice.hits(this.faults.lie)) {
      // Says it has it and forgets it, or has it and says it refused.
      if (this.dice.hits(0.5)) return transfer.signature
      this.chain.submit(transfer)
      throw outage("rejected", "node is behind")
    }
    this.chain.submit(transfer)
    return transfer.signature
  }

  private seenBy(endpoint: Endpoint, depth = 0): ReadonlyArray<Landed> {
    const upTo = this.slotOf(endpoint) - depth
    return [...this.chain.landed.values()].filter(({ slot }) => slot <= upTo)
  }

  private statuses(endpoint: Endpoint, asked: unknown): ReadonlyArray<unknown> {
    const seen = new Map(this.seenBy(endpoint).map((one) => [one.signature, one]))
    const head = this.slotOf(endpoint)
    return (Array.isArray(asked) ? asked : []).map((signature) => {
      const found = seen.get(String(signature))
      if (found === undefined) return null
      const depth = head - found.slot
      const confirmationStatus =
        depth >= FINAL_DEPTH ? "finalized" : depth >= CONFIRMED_DEPTH ? "confirmed" : "processed"
      return { slot: found.slot, err: errorOf(found), confirmationStatus }
    })
  }

  /** The mint is in every transfer of USDC there is, so its newest entry shows how far the index has come. */
  private signatures(
    endpoint: Endpoint,
    account: string
  ): ReadonlyArray<{ readonly signature: string; readonly slot: number }> {
    const depth = CONFIRMED_DEPTH + endpoint.indexBehind
    if (account === SOLANA_USDC) return [{ signature: "somebody's", slot: this.slotOf(endpoint) - depth }]
    return this.seenBy(endpoint, depth)
      .filter(({ destination, source }) => source === account || destination === account)
      .toReversed()
      .map(({ signature, slot }) => ({ signature, slot }))
  }

  private transaction(endpoint: Endpoint, signature: string): unknown {
    if (this.dice.hits(this.faults.lie)) return null
    const found = this.seenBy(endpoint, CONFIRMED_DEPTH).find((one) => one.signature === signature)
    if (found === undefined) return null
    return { slot: found.slot, transaction: [found.wire, "base64"], meta: { err: errorOf(found) } }
  }
}

const errorOf = ({ failed }: Landed): unknown => (failed ? { InstructionError: [2, { Custom: 1 }] } : null)
