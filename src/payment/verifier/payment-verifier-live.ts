import { NodeHttpClient } from "@effect/platform-node"
import { Effect, Layer, Redacted } from "effect"
import { ChainRpc } from "../../chain/chain-rpc.ts"
import { BASE_NETWORK, BASE_USDC_DOMAIN } from "../../domain/chain.ts"
import { settlementConfig } from "../config.ts"
import { SettlementJournalLive } from "../settler/evm/journal-live.ts"
import { makeSelfHostedEvm } from "../settler/evm/self-hosted.ts"
import { signingKey } from "../settler/evm/signing-key.ts"
import { oneAtATime } from "../settler/one-at-a-time.ts"
import { makePrices } from "../settler/prices.ts"
import { makeFacilitator } from "../settler/remote/facilitator.ts"
import { makeRemote } from "../settler/remote/remote.ts"
import { watchFeePayer } from "../settler/remote/supported.ts"
import { makeSolanaEconomy } from "../settler/svm/economy.ts"
import { makeFeePayer } from "../settler/svm/fee-payer.ts"
import { settlerConfig } from "../settler/settings.ts"
import { makeSelfHostedSvm } from "../settler/svm/self-hosted.ts"
import { makeTransfers } from "../settler/svm/transfers.ts"
import type { VerifiedPayment } from "./verified-payment.ts"
import { examineOnBase } from "./evm/examine.ts"
import { hashesFast } from "../../chain/keccak.ts"
import { type BaseNode, landedOnBase, lookUpOnBase } from "./evm/lookup.ts"
import { recoversFast } from "./evm/secp256k1.ts"
import { makeTrials } from "./evm/trial.ts"
import { verifyOnBase } from "./evm/verify.ts"
import { viewOfBase } from "./evm/view.ts"
import { PaymentVerifier } from "./payment-verifier.ts"
import { makeExamination } from "./svm/examine.ts"
import { landedOnSolana, lookUpOnSolana } from "./svm/lookup.ts"
import { solanaNode } from "./svm/node.ts"
import { sharingStatuses } from "./svm/sharing.ts"
import { verifyOnSolana } from "./svm/verify.ts"
import { viewOfSolana } from "./svm/view.ts"

type Extra = Readonly<Record<string, unknown>>

/** Without them everything is as safe, only slower: an operator should know why. */
const announceCryptography = Effect.gen(function* () {
  const missing = [
    ...(recoversFast ? [] : ["the native secp256k1 binding"]),
    ...((yield* hashesFast) ? [] : ["WebAssembly for Keccak"])
  ]
  if (missing.length === 0) return
  yield* Effect.logWarning(
    `signatures are verified in JavaScript: ${missing.join(" and ")} cannot be loaded here`
  )
})

const readHead = ({ client }: BaseNode) => Effect.tryPromise(() => client.getBlockNumber({ cacheTime: 0 }))

const makeEvm = Effect.gen(function* () {
  yield* announceCryptography
  const { base: chosen, facilitatorAuth } = yield* settlementConfig
  const { base } = yield* ChainRpc
  const lookup = lookUpOnBase(base.nodes)
  const landedAt = landedOnBase(base.client)
  const view = viewOfBase(base.nodes)
  const trials = makeTrials(base)
  if (chosen.kind === "self-hosted") {
    const [first, ...others] = Redacted.value(chosen.key)
    const settings = yield* settlerConfig
    const { ether } = yield* makePrices(base.client, settings)
    const own = yield* makeSelfHostedEvm({
      rpc: base,
      trials,
      accounts: [signingKey(first), ...others.map(signingKey)],
      price: ether,
      settings,
      ask: lookup
    })
    const { admit, admitCode } = own
    const says = { admit, admitCode, examine: examineOnBase(base.client) }
    const limited = yield* oneAtATime(own.failedToday, settings)
    const verify = limited(own.settingAside(verifyOnBase(trials, own.lookup, says)))
    return { verify, settle: own.settle, lookup: own.lookup, lookupOnChain: lookup, landedAt, view }
  }
  const { trustBelow: below } = yield* settlerConfig
  const trust = { below, read: Effect.firstSuccessOf(base.nodes.map(readHead)) }
  const { examine, settle } = makeRemote(yield* makeFacilitator(chosen.url, facilitatorAuth), lookup, trust)
  // A signature we could not verify ourselves is not believed on a facilitator's word: our own node is asked too.
  const says = {
    admit: (verified: VerifiedPayment) => Effect.as(examine(verified), undefined),
    isHearsay: true,
    admitCode: Effect.void,
    examine: examineOnBase(base.client)
  }
  const verify = verifyOnBase(trials, lookup, says)
  return { verify, settle, lookup, lookupOnChain: lookup, landedAt, view }
})

const makeSvm = Effect.gen(function* () {
  const { solana: chosen, facilitatorAuth } = yield* settlementConfig
  const { base, solana } = yield* ChainRpc
  const node = sharingStatuses(
    solanaNode({ host: solana.nodes.map(({ host }) => host).join(), call: solana.together })
  )
  const nodes = solana.nodes.map(solanaNode)
  const landedAt = landedOnSolana(node)
  const view = viewOfSolana(nodes)
  if (chosen.kind === "self-hosted") {
    const settings = yield* settlerConfig
    const feePayer = makeFeePayer(chosen.key)
    const { address } = feePayer
    const transfers = yield* makeTransfers
    const { sol: price } = yield* makePrices(base.client, settings)
    const balance = node.balance(address)
    const economy = yield* makeSolanaEconomy({ address, balance, transfers, price, settings })
    const idOf = (verified: VerifiedPayment) => feePayer.sign(verified)?.id
    const lookup = lookUpOnSolana(nodes, idOf)
    const { finalityFrom } = settings
    const { examine, wasTried } = makeExamination(node, address)
    const { settle } = yield* makeSelfHostedSvm({
      node,
      nodes,
      feePayer,
      transfers,
      economy,
      wasTried,
      finalityFrom,
      lookup
    })
    // What is refused here costs the node no trial.
    const admitted = (verified: VerifiedPayment) =>
      Effect.flatMap(economy.admit(verified), (fee) =>
        Effect.map(examine(verified), (tried) => ({ ...tried, fee }))
      )
    const extra: Extra = { feePayer: address }
    const limited = yield* oneAtATime(transfers.failedToday, settings)
    const verify = limited(economy.settingAside(verifyOnSolana({ node, lookup, examine: admitted, idOf })))
    return { extra: () => extra, verify, settle, lookup, landedAt, view }
  }
  const facilitator = yield* makeFacilitator(chosen.url, facilitatorAuth)
  const extra = yield* watchFeePayer(facilitator)
  const idOf = () => undefined
  const lookup = lookUpOnSolana(nodes, idOf)
  const { trustBelow: below } = yield* settlerConfig
  const trust = { below, read: Effect.firstSuccessOf(nodes.map((one) => one.slot("confirmed"))) }
  const { examine, settle } = makeRemote(facilitator, lookup, trust)
  const admitted = (verified: VerifiedPayment) => Effect.as(examine(verified), {})
  const verify = verifyOnSolana({ node, lookup, examine: admitted, idOf })
  return { extra, verify, settle, lookup, landedAt, view }
})

const make = Effect.gen(function* () {
  const evm = yield* makeEvm
  const svm = yield* makeSvm
  const of = ({ payment }: VerifiedPayment) => (payment.scheme === "eip3009" ? evm : svm)
  return PaymentVerifier.of({
    extra: (network) => (network === BASE_NETWORK ? BASE_USDC_DOMAIN : svm.extra()),
    verify: (...asked) => of(asked[0]).verify(...asked),
    settle: (verified, begun) => of(verified).settle(verified, begun),
    lookup: (verified, begun) => of(verified).lookup(verified, begun),
    lookupOnChain: (verified, begun) =>
      (verified.payment.scheme === "eip3009" ? evm.lookupOnChain : svm.lookup)(verified, begun),
    view: (network) => (network === BASE_NETWORK ? evm : svm).view,
    landedAt: (evidence) => (evidence.network === BASE_NETWORK ? evm : svm).landedAt(evidence)
  })
})

/**
 * Verification and settlement on both networks, each by our own key or by the facilitator, as `settlementConfig` says.
 * Requires `ChainRpc` and `SqlClient`. With a facilitator it asks for `/supported` now and then.
 */
export const PaymentVerifierLive = Layer.scoped(PaymentVerifier, make).pipe(
  Layer.provide(SettlementJournalLive),
  Layer.provide(NodeHttpClient.layerUndici)
)
