import { Effect } from "effect"
import { decodeFunctionResult, encodeFunctionData, type Hex, pad, type PublicClient } from "viem"
import { atLeastZero, min } from "../../../domain/bigint.ts"
import type { BaseRpc } from "../../../chain/chain-rpc.ts"
import { askBlock, type EvmBlock } from "../../../chain/evm-blocks.ts"
import { AUTHORIZATION_CANCELED, AUTHORIZATION_USED } from "../../../chain/evm-events.ts"
import { askLogs, askReceipt, type EvmReceipt } from "../../../chain/evm-logs.ts"
import { PaymentUnavailable } from "../../../domain/errors.ts"
import { type Evidence, open, type SettlementOutcome, type Sighting } from "../../outcome.ts"
import type { VerifiedPayment } from "../verified-payment.ts"
import type { Begun } from "../payment-verifier.ts"
import { type Authorized, authorizedBy, evidenceOf, type Use, useByCall, useIn } from "./evidence.ts"
import { asHex, usdcAbi } from "./usdc.ts"

/** Blocks one `eth_getLogs` may span; public nodes refuse more. */
const LOG_SPAN = 2_000n
/** Longest history that is searched for a use whose transaction we do not know, in blocks: a week of Base. */
const LOG_HORIZON = 302_400n
/** Blocks below the last sighting that are searched too: another node may have been behind. */
const LOG_MARGIN = 32n
/**
 * A block with this many seconds of blocks on top of it counts as final where a node has no `safe` block past the
 * window: 60 blocks, more than Base has ever reorganised.
 */
const FINALITY_SECONDS = 120n

const EXPIRED = "invalid_exact_evm_payload_authorization_valid_before"
const USED_ELSEWHERE = "invalid_exact_evm_nonce_already_used"

/** One node. What it says about a payment is put together from its own answers alone, never from several nodes'. */
export type BaseNode = BaseRpc["nodes"][number]

/** Reads of one node, each pinned to a block's hash: a node that does not have that block fails instead of guessing. */
const readsOf = ({ client, host }: BaseNode, { asset, payer, nonce }: Authorized) => {
  const callAt = async (data: Hex, { hash }: EvmBlock): Promise<Hex> =>
    client.request({
      method: "eth_call",
      params: [{ to: asHex(asset), data }, { blockHash: hash }]
    })

  return {
    block: (tag: "latest" | "safe") => askBlock(client, tag),
    isUsedAt: async (block: EvmBlock): Promise<boolean> => {
      const call = { abi: usdcAbi, functionName: "authorizationState" } as const
      const data = encodeFunctionData({ ...call, args: [asHex(payer), asHex(nonce)] })
      return decodeFunctionResult({ ...call, data: await callAt(data, block) })
    },
    /** The transaction that consumed the nonce, as the logs of a range name it. Nothing found proves nothing. */
    search: async (since: bigint, head: bigint): Promise<Hex | undefined> => {
      const topics = [[AUTHORIZATION_USED, AUTHORIZATION_CANCELED], pad(asHex(payer)), asHex(nonce)]
      for (let from = since; from <= head; from += LOG_SPAN) {
        const toBlock = min(from + LOG_SPAN - 1n, head)
        const [log] = await askLogs(client, { address: asHex(asset), topics, fromBlock: from, toBlock })
        if (log !== undefined) return log.transactionHash
      }
      return undefined
    },
    receipt: (hash: Hex) => askReceipt(client, hash).catch(() => undefined),
    call: (hash: Hex) => client.getTransaction({ hash }),
    sighting: ({ number, hash }: Pick<EvmBlock, "number" | "hash">): Sighting => ({
      node: host,
      height: Number(number),
      blockHash: hash.toLowerCase()
    })
  }
}

type Reads = ReturnType<typeof readsOf>

const resolve = async (reads: Reads, use: Use, receipt: EvmReceipt, authorized: Authorized) =>
  use.kind === "unclear" ? useByCall(await reads.call(receipt.transactionHash), use.index, authorized) : use

/** What a receipt says about a payment; `undefined` when it does not use its nonce, or reverted. */
const outcomeOf = async (
  reads: Reads,
  receipt: EvmReceipt,
  verified: VerifiedPayment,
  authorized: Authorized
): Promise<SettlementOutcome | undefined> => {
  const found = receipt.passed ? useIn(receipt.logs, authorized) : undefined
  if (found === undefined) return undefined
  const use = await resolve(reads, found, receipt, authorized)
  const { transactionHash, blockNumber, blockHash } = receipt
  switch (use.kind) {
    case "paid":
      return { state: "settled", evidence: evidenceOf(verified, use.index, receipt) }
    case "unclear":
      return open(transactionHash)
    case "cancelled":
    case "elsewhere":
      return {
        state: "void",
        reason: USED_ELSEWHERE,
        proof: {
          kind: use.kind === "cancelled" ? "nonce-cancelled" : "nonce-used-elsewhere",
          transaction: transactionHash.toLowerCase(),
          index: use.index,
          seen: reads.sighting({ number: blockNumber, hash: blockHash })
        }
      }
  }
}

/** The final block at which the nonce was still unused and past whose time nothing can use it; else `undefined`. */
const closedAt = async (reads: Reads, head: EvmBlock, validBefore: bigint): Promise<EvmBlock | undefined> => {
  if (head.timestamp < validBefore) return undefined
  if (head.timestamp >= validBefore + FINALITY_SECONDS) return head
  const safe = await reads.block("safe").catch(() => undefined)
  if (safe === undefined || safe.timestamp < validBefore) return undefined
  return (await reads.isUsedAt(safe)) ? undefined : safe
}

const unusedOutcome = async (
  reads: Reads,
  head: EvmBlock,
  validBefore: bigint,
  begun: Begun
): Promise<SettlementOutcome> => {
  // FiatToken requires block.timestamp < validBefore, so a block at or past it closes the window.
  const closed = await closedAt(reads, head, validBefore)
  if (closed !== undefined) {
    const proof = {
      kind: "window-closed",
      closed: Number(validBefore),
      seen: reads.sighting(closed)
    } as const
    return { state: "void", reason: EXPIRED, proof }
  }
  return open(begun.transaction ?? undefined)
}

const startOfSearch = (begun: Begun, head: EvmBlock, validBefore: bigint): bigint => {
  if (begun.since > 0) return atLeastZero(BigInt(begun.since) - LOG_MARGIN)
  // An hour before the window's end, with blocks of one second, is earlier than any payment we take was signed.
  const age = min(atLeastZero(head.timestamp - validBefore) + 3_600n, LOG_HORIZON)
  return atLeastZero(head.number - age)
}

const ask = async (node: BaseNode, verified: VerifiedPayment, begun: Begun): Promise<SettlementOutcome> => {
  const authorized = authorizedBy(verified)
  if (authorized === undefined) return open()
  const reads = readsOf(node, authorized)
  const known = begun.transaction === null ? undefined : await reads.receipt(asHex(begun.transaction))
  const told = known === undefined ? undefined : await outcomeOf(reads, known, verified, authorized)
  if (told !== undefined) return told
  const head = await reads.block("latest")
  if (!(await reads.isUsedAt(head))) {
    return unusedOutcome(reads, head, authorized.validBefore, begun)
  }
  const hash = await reads.search(startOfSearch(begun, head, authorized.validBefore), head.number)
  const receipt = hash === undefined ? undefined : await reads.receipt(hash)
  const found = receipt === undefined ? undefined : await outcomeOf(reads, receipt, verified, authorized)
  return found ?? open(begun.transaction ?? undefined)
}

/**
 * What became of an authorization, whoever submitted it: anyone may, and the money still reaches us. Asks the nodes in
 * order until one gives a whole answer. A used nonce whose log is not found is open, as is everything a node does not
 * say.
 */
export const lookUpOnBase =
  (nodes: ReadonlyArray<BaseNode>) =>
  (verified: VerifiedPayment, begun: Begun): Effect.Effect<SettlementOutcome> =>
    Effect.gen(function* () {
      for (const node of nodes) {
        const answer = yield* Effect.tryPromise(() => ask(node, verified, begun)).pipe(
          Effect.timeout("10 seconds"),
          Effect.option
        )
        if (answer._tag === "Some" && answer.value.state !== "open") return answer.value
      }
      return open(begun.transaction ?? undefined)
    }).pipe(Effect.withSpan("Base.lookUp"))

/** When a transfer landed, by the time of the block it is in. */
export const landedOnBase =
  (client: PublicClient) =>
  ({ height }: Evidence): Effect.Effect<number, PaymentUnavailable> =>
    Effect.tryPromise({
      try: async () => Number((await askBlock(client, BigInt(height))).timestamp),
      catch: () => new PaymentUnavailable({ upstream: "base-rpc" })
    })
