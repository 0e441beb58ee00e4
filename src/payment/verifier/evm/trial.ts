import { Effect, Either } from "effect"
import { decodeErrorResult, decodeFunctionResult, erc20Abi, type Hex } from "viem"
import type { BaseRpc, CodeRead, EvmBatch, EvmRead } from "../../../chain/chain-rpc.ts"
import { isBehind } from "../../../chain/development-node.ts"
import { UpstreamError } from "../../../domain/errors.ts"
import type { VerifiedPayment } from "../verified-payment.ts"
import { gatheringAhead } from "../../../domain/gathering.ts"
import { authorizedBy } from "./evidence.ts"
import { asHex, balanceCall, stateCall, transferCall, usdcAbi } from "./usdc.ts"
import { withNow } from "../../../domain/now.ts"

/** What the chain says of a payment, and what its transfer would do there now. */
export interface Trial {
  /** The block all of it was read at. */
  readonly height: number
  readonly isUsed: boolean
  /** What the payer holds, smallest units. */
  readonly held: bigint
  /** Whether the token executes the transfer. `false` also where the node could not try it. */
  readonly executes: boolean
  /** The token's words, where it reverts. */
  readonly refusal: string
  /** Whether the payer's code runs in the transfer; `undefined` where the node did not say. */
  readonly hasCode: boolean | undefined
}

/** How long a payment waits for others to be tried with it, and how many share one call. */
const GATHER = "3 millis"
const MOST = 30
/** Milliseconds for which a trial speaks for the chain: one block of Base. */
const FRESH = 2_000
/** Trials kept for whoever sends their payments; the oldest is forgotten first. */
const MOST_KEPT = 1_000

type Chain = Pick<BaseRpc, "client" | "readAll">

/** The reads of one payment, and the transfer itself. */
interface Question {
  readonly reads: readonly [state: EvmRead, balance: EvmRead, code: CodeRead]
  readonly transfer: EvmRead
}

const malformed = (detail: string) => new UpstreamError({ upstream: "base-rpc", kind: "malformed", detail })
const unreadable = () => malformed("a payment's state does not decode")
const behind = () => malformed("a node that is behind")

const questionOf = (verified: VerifiedPayment): Question | undefined => {
  const authorized = authorizedBy(verified)
  const { payment } = verified
  if (authorized === undefined || payment.scheme !== "eip3009") return undefined
  const [to, owner] = [asHex(authorized.asset), asHex(authorized.payer)]
  return {
    reads: [
      { to, data: stateCall(owner, asHex(authorized.nonce)) },
      { to, data: balanceCall(owner) },
      { codeOf: owner }
    ],
    transfer: { to, data: transferCall(payment.evm), writes: true }
  }
}

/** The reason a contract gave in words; nothing where it gave none. */
const wordsOf = (data: Hex): string => {
  try {
    return String(decodeErrorResult({ data, abi: [] }).args?.[0] ?? "")
  } catch {
    return ""
  }
}

const state = { abi: usdcAbi, functionName: "authorizationState" } as const
const balance = { abi: erc20Abi, functionName: "balanceOf" } as const

/** Throws on answers of another shape. */
const readTrial = (
  { blockNumber }: EvmBatch,
  [used, held, code]: EvmBatch["results"],
  transferred: EvmBatch["results"][number] | undefined
): Trial => {
  if (used?.ok !== true || held?.ok !== true) throw new Error("the token does not answer")
  return {
    height: Number(blockNumber),
    isUsed: decodeFunctionResult({ ...state, data: used.data }),
    held: decodeFunctionResult({ ...balance, data: held.data }),
    executes: transferred?.ok === true,
    refusal: transferred?.ok === false ? wordsOf(transferred.data) : "",
    hasCode: code?.ok === true ? code.data !== "0x" : undefined
  }
}

/** Where transfers cannot be run together (no Multicall3, or a payer's code ate the gas), nothing is known of them. */
const readTogether = (rpc: Chain, questions: ReadonlyArray<Question>) => {
  const reads = questions.flatMap((question) => question.reads)
  // Reads come before every transfer, so that they see the chain as it is.
  return rpc.readAll([...reads, ...questions.map(({ transfer }) => transfer)]).pipe(
    Effect.catchIf(
      ({ kind }) => kind === "malformed",
      () => rpc.readAll(reads)
    )
  )
}

/** A past is no word on a payment: what was unused in it may be used, and who had no money may have it. */
const requireNow = ({ client }: Chain, { blockTime }: EvmBatch) =>
  withNow((now) =>
    Effect.filterOrFail(
      Effect.tryPromise({ try: () => isBehind(client, blockTime, now), catch: behind }),
      (isPast) => !isPast,
      behind
    )
  )

const answerAll = (rpc: Chain) => (questions: ReadonlyArray<Question>) =>
  Effect.map(
    Effect.tap(readTogether(rpc, questions), (batch) => requireNow(rpc, batch)),
    (batch) =>
      questions.map((_, at) => {
        const own = batch.results.slice(3 * at, 3 * at + 3)
        return Either.try({
          try: () => readTrial(batch, own, batch.results[3 * questions.length + at]),
          catch: unreadable
        })
      })
  )

/** Asks now; what it gives waits for the answer, so that whoever asks may do something else meanwhile. */
type Asking = Effect.Effect<Effect.Effect<Trial, UpstreamError>, UpstreamError>

/** What the chain says of payments. */
export interface Trials {
  /**
   * The nonce, the balance, the payer's code and the transfer, at one block. It is the token's own word on the signature,
   * the window by the block's time, the nonce, the balance and every list the token keeps.
   */
  readonly now: (verified: VerifiedPayment) => Effect.Effect<Trial, UpstreamError>
  /** The same, asked for at once and waited for by what it gives. */
  readonly begin: (verified: VerifiedPayment) => Asking
  /** The same, or what `now` found less than a block ago. It is given out once. */
  readonly recent: (verified: VerifiedPayment) => Effect.Effect<Trial, UpstreamError>
}

interface Kept {
  readonly trial: Trial
  /** Unix milliseconds at which it was asked for. */
  readonly at: number
}

/**
 * Trials of payments. Those whose signature was verified here share a call; what a contract wallet signed is tried by
 * itself, because its own code decides what it costs and does.
 */
export const makeTrials = (rpc: Chain): Trials => {
  const answer = answerAll(rpc)
  const shared = gatheringAhead({ pause: Effect.sleep(GATHER), most: MOST, answer })
  const kept = new Map<string, Kept>()

  const keep = (key: string, found: Kept) => {
    kept.delete(key)
    kept.set(key, found)
    const oldest = kept.size > MOST_KEPT ? kept.keys().next().value : undefined
    if (oldest !== undefined) kept.delete(oldest)
  }

  const alone = (question: Question): Asking =>
    Effect.succeed(Effect.flatMap(answer([question]), ([only]) => only ?? unreadable()))

  const begin: Trials["begin"] = (verified) =>
    withNow((at) => {
      const question = questionOf(verified)
      if (question === undefined) return unreadable()
      const asking = verified.signatureVerified ? shared(question) : alone(question)
      return Effect.map(
        asking,
        Effect.tap((trial) => {
          if (trial.executes) keep(verified.payment.authorizationKey, { trial, at })
        })
      )
    })

  const now: Trials["now"] = (verified) => Effect.flatten(begin(verified))

  const recent: Trials["recent"] = (verified) =>
    withNow((time) => {
      const { authorizationKey } = verified.payment
      const found = kept.get(authorizationKey)
      kept.delete(authorizationKey)
      return found !== undefined && Math.abs(time - found.at) < FRESH
        ? Effect.succeed(found.trial)
        : Effect.tap(now(verified), () => kept.delete(authorizationKey))
    })

  return { now, begin, recent }
}
