import { NodeHttpClient } from "@effect/platform-node"
import { ConfigError, Effect, Layer, Option } from "effect"
import { ChainRpc } from "../../chain/chain-rpc.ts"
import { BASE_NETWORK, type Network, SOLANA_NETWORK } from "../../domain/chain.ts"
import { PaymentUnavailable } from "../../domain/errors.ts"
import { settlementConfig } from "../config.ts"
import { eip3009Fate } from "../settler/evm/fate.ts"
import { makeSelfHostedEvm } from "../settler/evm/self-hosted.ts"
import type { Eip3009Payment, SvmPayment } from "../message/payment.ts"
import { PaymentVerifier } from "./payment-verifier.ts"
import { makeFacilitator } from "../settler/remote/facilitator.ts"
import { makeRemote } from "../settler/remote/remote.ts"
import { svmFate } from "../settler/svm/fate.ts"
import { makeSolanaNode, type SolanaNode } from "../settler/svm/node.ts"
import { makeSelfHostedSvm } from "../settler/svm/self-hosted.ts"

/** The EIP-712 domain of USDC on Base, as its contract has it. */
const BASE_EXTRA = { name: "USD Coin", version: "2" }

const facilitatorFault = (detail: string) => ConfigError.InvalidData(["FACILITATOR_URL"], detail)

const makeEvm = Effect.gen(function* () {
  const { base, facilitatorAuth } = yield* settlementConfig
  const { client } = (yield* ChainRpc).base
  if (base.kind === "self-hosted") return yield* makeSelfHostedEvm(client, base.key)
  return makeRemote<Eip3009Payment>(
    yield* makeFacilitator(base.url, facilitatorAuth),
    (payment, requirements) => eip3009Fate(client, payment.evm, requirements)
  )
})

/** The facilitator's fee payer, which every Solana challenge must name. */
const remoteFeePayer = (
  kinds: ReadonlyArray<{
    readonly scheme: string
    readonly network: string
    readonly x402Version: number
    readonly extra?: Readonly<Record<string, unknown>> | null | undefined
  }>
) =>
  Option.fromNullable(
    kinds.find((kind) => kind.x402Version === 2 && kind.scheme === "exact" && kind.network === SOLANA_NETWORK)
  ).pipe(
    Option.flatMapNullable(({ extra }) => extra?.["feePayer"]),
    Option.filter((feePayer) => typeof feePayer === "string")
  )

const makeRemoteSvm = Effect.fnUntraced(function* (node: SolanaNode, url: string) {
  const { facilitatorAuth } = yield* settlementConfig
  const facilitator = yield* makeFacilitator(url, facilitatorAuth)
  const { kinds } = yield* Effect.mapError(facilitator.supported, ({ kind }) =>
    facilitatorFault(`does not answer /supported (${kind})`)
  )
  const feePayer = yield* Effect.mapError(remoteFeePayer(kinds), () =>
    facilitatorFault(`does not settle exact payments on ${SOLANA_NETWORK}`)
  )
  const remote = makeRemote<SvmPayment>(facilitator, (payment, _requirements, transaction) =>
    Effect.mapError(
      svmFate(node, payment.svm, transaction ?? undefined),
      () => new PaymentUnavailable({ upstream: "solana-rpc" })
    )
  )
  return { ...remote, feePayer }
})

const makeSvm = Effect.gen(function* () {
  const { solana } = yield* settlementConfig
  const [first = "", ...others] = (yield* ChainRpc).solana.urls
  const node = yield* makeSolanaNode([first, ...others])
  return solana.kind === "self-hosted"
    ? yield* makeSelfHostedSvm(node, solana.key)
    : yield* makeRemoteSvm(node, solana.url)
})

const make = Effect.gen(function* () {
  const evm = yield* makeEvm
  const svm = yield* makeSvm
  const extras: Readonly<Record<Network, Readonly<Record<string, unknown>>>> = {
    [BASE_NETWORK]: BASE_EXTRA,
    [SOLANA_NETWORK]: { feePayer: svm.feePayer }
  }
  return PaymentVerifier.of({
    extra: (network) => extras[network],
    verify: (payment, requirements) =>
      payment.scheme === "eip3009" ? evm.verify(payment, requirements) : svm.verify(payment, requirements),
    settle: (payment, requirements) =>
      payment.scheme === "eip3009" ? evm.settle(payment, requirements) : svm.settle(payment, requirements),
    lookup: (payment, requirements, transaction) =>
      payment.scheme === "eip3009"
        ? evm.fate(payment, requirements, transaction)
        : svm.fate(payment, requirements, transaction)
  })
})

/**
 * Verification and settlement on both networks, each by our own key or by the facilitator, as `settlementConfig` says.
 * Requires `ChainRpc`. With a facilitator it reads `/supported` once, at start.
 */
export const PaymentVerifierLive = Layer.effect(PaymentVerifier, make).pipe(
  Layer.provide(NodeHttpClient.layerUndici)
)
