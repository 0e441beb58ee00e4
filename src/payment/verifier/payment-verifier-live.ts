import { NodeHttpClient } from "@effect/platform-node"
import { ConfigError, Effect, Layer, Option } from "effect"
import { ChainRpc } from "../../chain/chain-rpc.ts"
import { BASE_NETWORK, type Network, SOLANA_NETWORK } from "../../domain/chain.ts"
import { settlementConfig } from "../config.ts"
import { makeSelfHostedEvm } from "../settler/evm/self-hosted.ts"
import { makeFacilitator } from "../settler/remote/facilitator.ts"
import { makeRemote } from "../settler/remote/remote.ts"
import { makeFeePayer } from "../settler/svm/fee-payer.ts"
import { makeSelfHostedSvm } from "../settler/svm/self-hosted.ts"
import type { CheckedPayment } from "./checked-payment.ts"
import { judgeEip3009 } from "./evm/judge.ts"
import { landedOnBase, lookUpOnBase } from "./evm/lookup.ts"
import { verifyOnBase } from "./evm/verify.ts"
import { PaymentVerifier } from "./payment-verifier.ts"
import { judgeSvm } from "./svm/judge.ts"
import { landedOnSolana, lookUpOnSolana } from "./svm/lookup.ts"
import { solanaNode } from "./svm/node.ts"
import { verifyOnSolana } from "./svm/verify.ts"

/** The EIP-712 domain of USDC on Base, as its contract has it. */
const BASE_EXTRA = { name: "USD Coin", version: "2" }

const facilitatorFault = (detail: string) => ConfigError.InvalidData(["FACILITATOR_URL"], detail)

const makeEvm = Effect.gen(function* () {
  const { base: chosen, facilitatorAuth } = yield* settlementConfig
  const { base } = yield* ChainRpc
  const [node] = base.nodes
  if (node === undefined) return yield* Effect.dieMessage("BASE_RPC_URL names no node")
  const lookup = lookUpOnBase(base.nodes)
  const landedAt = landedOnBase(base.client)
  if (chosen.kind === "self-hosted") {
    const { settle } = yield* makeSelfHostedEvm(base.client, node, chosen.key, lookup)
    return { verify: verifyOnBase(base, lookup, judgeEip3009(base.client)), settle, lookup, landedAt }
  }
  const { judge, settle } = makeRemote(yield* makeFacilitator(chosen.url, facilitatorAuth), lookup)
  return { verify: verifyOnBase(base, lookup, judge), settle, lookup, landedAt }
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

const makeFacilitatedSvm = Effect.fnUntraced(function* (url: string) {
  const { facilitatorAuth } = yield* settlementConfig
  const facilitator = yield* makeFacilitator(url, facilitatorAuth)
  const { kinds } = yield* Effect.mapError(facilitator.supported, ({ kind }) =>
    facilitatorFault(`does not answer /supported (${kind})`)
  )
  const feePayer = yield* Effect.mapError(remoteFeePayer(kinds), () =>
    facilitatorFault(`does not settle exact payments on ${SOLANA_NETWORK}`)
  )
  return { facilitator, feePayer }
})

const makeSvm = Effect.gen(function* () {
  const { solana: chosen } = yield* settlementConfig
  const { solana } = yield* ChainRpc
  const node = solanaNode({ host: solana.nodes.map(({ host }) => host).join(), call: solana.call })
  const nodes = solana.nodes.map(solanaNode)
  const landedAt = landedOnSolana(node)
  if (chosen.kind === "self-hosted") {
    const feePayer = makeFeePayer(chosen.key)
    const lookup = lookUpOnSolana(nodes, (checked) => feePayer.sign(checked)?.id)
    const settle = makeSelfHostedSvm(node, feePayer, lookup)
    const verify = verifyOnSolana(node, lookup, judgeSvm(node, feePayer.address))
    return { feePayer: feePayer.address, verify, settle, lookup, landedAt }
  }
  const { facilitator, feePayer } = yield* makeFacilitatedSvm(chosen.url)
  const lookup = lookUpOnSolana(nodes, () => undefined)
  const { judge, settle } = makeRemote(facilitator, lookup)
  return { feePayer, verify: verifyOnSolana(node, lookup, judge), settle, lookup, landedAt }
})

const make = Effect.gen(function* () {
  const evm = yield* makeEvm
  const svm = yield* makeSvm
  const extras: Readonly<Record<Network, Readonly<Record<string, unknown>>>> = {
    [BASE_NETWORK]: BASE_EXTRA,
    [SOLANA_NETWORK]: { feePayer: svm.feePayer }
  }
  const of = ({ payment }: CheckedPayment) => (payment.scheme === "eip3009" ? evm : svm)
  return PaymentVerifier.of({
    extra: (network) => extras[network],
    verify: (checked) => of(checked).verify(checked),
    settle: (checked, begun) => of(checked).settle(checked, begun),
    lookup: (checked, begun) => of(checked).lookup(checked, begun),
    landedAt: (evidence) => (evidence.network === BASE_NETWORK ? evm : svm).landedAt(evidence)
  })
})

/**
 * Verification and settlement on both networks, each by our own key or by the facilitator, as `settlementConfig` says.
 * Requires `ChainRpc`. With a facilitator it reads `/supported` once, at start.
 */
export const PaymentVerifierLive = Layer.effect(PaymentVerifier, make).pipe(
  Layer.provide(NodeHttpClient.layerUndici)
)
