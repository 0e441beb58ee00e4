import { Clock, Data, Effect, Ref } from "effect"
import {
  type Hex,
  keccak256,
  type PublicClient,
  type TransactionReceipt,
  TransactionReceiptNotFoundError
} from "viem"
import type { PrivateKeyAccount } from "viem/accounts"
import { BASE_CHAIN_ID } from "../../../domain/chain.ts"
import { describe, isRevert, refusalOf, revertReason } from "../../verifier/evm/rpc-error.ts"

/**
 * Most gas one transfer may use: an EOA's takes about 85,000, a passkey wallet's signature check up to 350,000. A
 * signature check that burns more is refused before it costs us anything.
 */
const MAX_GAS = 600_000n
/** Most we bid per gas, in wei: a hundred times Base's usual fee. Above it payments wait for calmer minutes. */
const MAX_FEE_PER_GAS = 10_000_000_000n
/** How long our own count of sent transactions outweighs a node that has not seen them yet. */
const NONCE_MEMORY_MILLIS = 15_000
const SEND_ATTEMPTS = 4

/** Nothing was sent: the contract refuses the transfer. */
export class TransferReverted extends Data.TaggedError("TransferReverted")<{ readonly reason: string }> {}
/** Nothing was sent: no node, no gas money, or fees beyond our bound. */
export class CannotSend extends Data.TaggedError("CannotSend")<{ readonly detail: string }> {}

/** A signed transaction a node took, or may have taken. */
export interface Sent {
  readonly hash: Hex
  readonly raw: Hex
}

interface Call {
  readonly to: Hex
  readonly data: Hex
}

const cannotSend = (error: unknown) => new CannotSend({ detail: describe(error) })

/**
 * Sends one key's transactions one after another with gapless nonces. The hash of a transaction is known before it is
 * sent, so a lost reply is never a lost transaction.
 */
export const makeLane = (client: PublicClient, account: PrivateKeyAccount) =>
  Effect.gen(function* () {
    const oneAtATime = yield* Effect.makeSemaphore(1)
    const last = yield* Ref.make({ nonce: -1, at: 0 })

    const rpc = <A>(request: () => Promise<A>) => Effect.tryPromise({ try: request, catch: cannotSend })

    const estimate = (call: Call) =>
      Effect.tryPromise({
        try: () => client.estimateGas({ account: account.address, ...call }),
        catch: (error) =>
          isRevert(error) ? new TransferReverted({ reason: revertReason(error) }) : cannotSend(error)
      }).pipe(
        Effect.filterOrFail(
          (gas) => gas <= MAX_GAS,
          () => new TransferReverted({ reason: "invalid_exact_evm_gas_limit_exceeded" })
        ),
        Effect.map((gas) => (gas * 5n) / 4n)
      )

    const fees = rpc(() => client.estimateFeesPerGas()).pipe(
      Effect.filterOrFail(
        ({ maxFeePerGas }) => maxFeePerGas <= MAX_FEE_PER_GAS,
        () => new CannotSend({ detail: "network fees are above the limit" })
      )
    )

    const nextNonce = Effect.gen(function* () {
      const pending = yield* rpc(() =>
        client.getTransactionCount({ address: account.address, blockTag: "pending" })
      )
      const { nonce, at } = yield* Ref.get(last)
      const isRecent = (yield* Clock.currentTimeMillis) - at < NONCE_MEMORY_MILLIS
      return isRecent ? Math.max(pending, nonce + 1) : pending
    })

    const submit = (raw: Hex) =>
      Effect.tryPromise({
        try: () => client.sendRawTransaction({ serializedTransaction: raw }),
        catch: (error) => ({ refusal: refusalOf(error), error })
      })

    const attempt = Effect.fnUntraced(function* (call: Call, gas: bigint) {
      const nonce = yield* nextNonce
      const { maxFeePerGas, maxPriorityFeePerGas } = yield* fees
      const raw = yield* rpc(() =>
        account.signTransaction({
          ...call,
          type: "eip1559",
          chainId: BASE_CHAIN_ID,
          nonce,
          gas,
          maxFeePerGas,
          maxPriorityFeePerGas
        })
      )
      const sent: Sent = { hash: keccak256(raw), raw }
      const remember = Effect.flatMap(Clock.currentTimeMillis, (at) => Ref.set(last, { nonce, at }))
      return yield* submit(raw).pipe(
        Effect.zipRight(Effect.as(remember, sent)),
        Effect.catchAll(({ refusal, error }) => {
          switch (refusal) {
            case "known":
            case "unknown":
              return Effect.as(remember, sent)
            case "nonce":
              // Another process with our key was faster.
              return Effect.zipRight(Effect.as(remember, undefined), Effect.sleep("100 millis"))
            case "refused":
              return Effect.fail(cannotSend(error))
          }
        })
      )
    })

    const sendInTurn = Effect.fnUntraced(function* (call: Call, gas: bigint) {
      for (let tries = 0; tries < SEND_ATTEMPTS; tries++) {
        const sent = yield* attempt(call, gas)
        if (sent !== undefined) return sent
      }
      return yield* new CannotSend({ detail: "the nonce is contended" })
    })

    /** Simulates, signs and sends. Fails only when nothing was sent. */
    const send = (call: Call) =>
      Effect.flatMap(estimate(call), (gas) => oneAtATime.withPermits(1)(sendInTurn(call, gas)))

    const receipt = (hash: Hex) =>
      Effect.tryPromise({
        try: () => client.getTransactionReceipt({ hash }),
        catch: (error) => error instanceof TransactionReceiptNotFoundError
      }).pipe(Effect.catchAll(() => Effect.succeed(undefined)))

    /** The receipt of a sent transaction, which is sent again now and then; `undefined` after a minute without one. */
    const confirm = Effect.fnUntraced(function* ({ hash, raw }: Sent) {
      for (let tick = 0; tick < 120; tick++) {
        const found: TransactionReceipt | undefined = yield* receipt(hash)
        if (found !== undefined) return found
        if (tick % 16 === 15) yield* Effect.ignore(submit(raw))
        yield* Effect.sleep(tick < 8 ? "250 millis" : "500 millis")
      }
      return undefined
    })

    return { send, confirm }
  })
