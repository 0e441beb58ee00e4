import { Deferred, Duration, Effect } from "effect"
import { decodeErrorResult, type Hex } from "viem"
import type { BaseRpc } from "../../../chain/chain-rpc.ts"
import type { UpstreamError } from "../../../domain/errors.ts"
import type { CheckedPayment } from "../../verifier/checked-payment.ts"
import { unwrap } from "../../verifier/evm/examine.ts"
import { revertReasonOf } from "../../verifier/evm/rpc-error.ts"
import { asHex, transferCall } from "../../verifier/evm/usdc.ts"
import type { Address } from "./journal.ts"
import { type EvmNode, Reverted } from "./node.ts"

/**
 * Gas of an EOA's transfer as a transaction of its own, rounded up: FiatToken behind its proxy takes 86,000, and a
 * quarter of room covers a recipient whose balance was zero.
 */
export const EOA_GAS = 90_000n
/**
 * Most gas one transfer may use: a passkey wallet's signature check takes up to 350,000. One that burns more is refused
 * before it costs us anything.
 */
const MAX_GAS = 600_000n
/** How long a payment waits for others to be asked about with it, and how many share one read. */
const GATHER = Duration.millis(5)
const MOST = 40

/** What sending a transfer takes. `alone`: code of the payer's runs in it. */
export interface Preflight {
  readonly gas: bigint
  readonly alone: boolean
}

type Outcome = Effect.Effect<Preflight, Reverted | UpstreamError>

interface Question {
  readonly checked: CheckedPayment
  readonly to: Hex
  readonly data: Hex
  readonly answer: Deferred.Deferred<Preflight, Reverted | UpstreamError>
}

const textOf = (data: Hex): string => {
  try {
    return String(decodeErrorResult({ data, abi: [] }).args?.[0] ?? "")
  } catch {
    return ""
  }
}

type Chain = Pick<BaseRpc, "readAll" | "inspect">

/** What one call takes by itself. */
const makeEstimate =
  (node: EvmNode, from: Address) =>
  ({ to, data }: Pick<Question, "to" | "data">): Outcome =>
    node.estimate(from, { to, data }).pipe(
      Effect.filterOrFail(
        (gas) => gas <= MAX_GAS,
        () => new Reverted({ reason: "invalid_exact_evm_gas_limit_exceeded" })
      ),
      Effect.map((gas) => ({ gas, alone: true }))
    )

const askTogether = (
  rpc: Chain,
  estimate: ReturnType<typeof makeEstimate>,
  questions: ReadonlyArray<Question>
) =>
  Effect.gen(function* () {
    const calls = questions.map(({ data, to }) => ({ to, data }))
    const [accounts, { results }] = yield* Effect.all(
      [
        rpc.inspect(questions.map(({ checked }) => ({ address: asHex(checked.payer) }))),
        rpc.readAll(calls, { writing: true })
      ],
      { concurrency: 2 }
    )
    yield* Effect.forEach(
      questions,
      (question, at) => {
        const result = results[at]
        const answer: Outcome =
          accounts[at]?.code !== "0x" || result === undefined
            ? estimate(question)
            : result.ok
              ? Effect.succeed({ gas: EOA_GAS, alone: false })
              : Effect.fail(new Reverted({ reason: revertReasonOf(textOf(result.data)) }))
        return Effect.intoDeferred(answer, question.answer)
      },
      { concurrency: 8, discard: true }
    )
  }).pipe(
    Effect.catchAllCause((cause) =>
      Effect.forEach(questions, ({ answer }) => Deferred.failCause(answer, cause), { discard: true })
    )
  )

/**
 * Asks the chain, right before a transfer is sent, whether it would still go through. Payments that come together share
 * two reads. One whose payer has code is asked about by itself, because that code decides what it costs.
 */
export const makePreflight = (rpc: Chain, node: EvmNode, from: Address) => {
  let gathered: Array<Question> = []
  const estimate = makeEstimate(node, from)

  const flush = Effect.suspend(() => {
    const questions = gathered
    gathered = []
    return askTogether(rpc, estimate, questions)
  })

  const ask = (question: Question) =>
    Effect.gen(function* () {
      gathered.push(question)
      if (gathered.length === 1) yield* Effect.forkDaemon(Effect.delay(flush, GATHER))
      else if (gathered.length >= MOST) yield* Effect.forkDaemon(flush)
      return yield* Deferred.await(question.answer)
    })

  return (checked: CheckedPayment): Outcome => {
    const { payment, proven, requirements } = checked
    if (payment.scheme !== "eip3009") return Effect.fail(new Reverted({ reason: "invalid_network" }))
    const call = { to: asHex(requirements.asset), data: transferCall(unwrap(payment.evm)) }
    if (!proven) return estimate(call)
    return Effect.flatMap(Deferred.make<Preflight, Reverted | UpstreamError>(), (answer) =>
      ask({ checked, ...call, answer })
    )
  }
}
