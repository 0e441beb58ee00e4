/** Sales over nodes that fail on request, in front of both local chains, and what strangers do to a payment there. */
import { afterEach } from "@effect/vitest"
import { ConfigProvider, Context, Effect, Layer } from "effect"
import { evmAccount, evmKey, solanaSigner } from "../../../scripts/sandbox/accounts.ts"
import * as abi from "../../../scripts/sandbox/base/abi.ts"
import type { RpcProxy } from "../../../scripts/sandbox/rpc-proxy.ts"
import { USDC_MINT } from "../../../scripts/sandbox/solana/addresses.ts"
import { ChainRpcLive } from "../../../src/chain/chain-rpc-live.ts"
import { BASE_USDC, SOLANA_NETWORK, SOLANA_USDC } from "../../../src/domain/chain.ts"
import type { PaymentRequirements } from "../../../src/domain/x402.ts"
import type { Eip3009Payment } from "../../../src/payment/message/payment.ts"
import { SaleLive } from "../../../src/payment/sale/sale-live.ts"
import { type Order, Sale } from "../../../src/payment/sale/sale.ts"
import { asHex } from "../../../src/payment/verifier/evm/usdc.ts"
import { PaymentVerifierLive } from "../../../src/payment/verifier/payment-verifier-live.ts"
import { baseBuyer, LocalBase, LocalSolana, solanaBuyer, startRpcProxy } from "../sandbox.ts"
import { type LateNode, startLateNode } from "./late-node.ts"
import { memoryDatabase } from "../storage/memory-database.ts"
import { termsFor } from "./terms.ts"

const URL = "http://127.0.0.1/ping"

/** Nodes between us and the chains, which fail on request. */
export class Nodes extends Context.Tag("test/Nodes")<
  Nodes,
  {
    readonly base: RpcProxy
    readonly solana: RpcProxy
    /** The node behind `base`. */
    readonly late: LateNode
  }
>() {
  static readonly layer = Layer.scoped(
    Nodes,
    Effect.gen(function* () {
      const late = yield* startLateNode((yield* LocalBase).url)
      const base = yield* startRpcProxy(late.url)
      const solana = yield* startRpcProxy((yield* LocalSolana).url)
      return (running = { base, solana, late })
    })
  )
}

let running: Context.Tag.Service<typeof Nodes> | undefined

/** No fault outlives its test, however that ends. */
export const mendNodesAfterEach = (): void =>
  afterEach(() => {
    for (const { mend } of running === undefined ? [] : [running.base, running.solana]) mend()
    if (running !== undefined) running.late.head = undefined
  })

export const SaleOverNodes = Layer.unwrapEffect(
  Effect.gen(function* () {
    const nodes = yield* Nodes
    const config = new Map([
      ["BASE_RPC_URL", nodes.base.url],
      ["SOLANA_RPC_URL", nodes.solana.url],
      ["BASE_SETTLER_PRIVATE_KEY", evmKey("settler")],
      ["SOLANA_FEE_PAYER_PRIVATE_KEY", (yield* LocalSolana).accounts.feePayerSecret]
    ])
    return SaleLive.pipe(
      Layer.provide(PaymentVerifierLive),
      Layer.provide(ChainRpcLive),
      Layer.provideMerge(memoryDatabase),
      Layer.provide(Layer.setConfigProvider(ConfigProvider.fromMap(config)))
    )
  })
).pipe(Layer.provideMerge(Nodes.layer), Layer.provideMerge(Layer.merge(LocalBase.layer, LocalSolana.layer)))

export const onBase = Effect.map(LocalBase, ({ accounts }) => termsFor(accounts.merchant.address, 5_000n))

const onSolana = Effect.map(LocalSolana, ({ accounts }): PaymentRequirements => ({
  scheme: "exact",
  network: SOLANA_NETWORK,
  amount: "5000",
  asset: SOLANA_USDC,
  payTo: accounts.merchant.address,
  maxTimeoutSeconds: 60,
  extra: { feePayer: accounts.feePayer.address }
}))

export const challenge = ({ extra, ...rest }: PaymentRequirements) => ({
  x402Version: 2,
  resource: { url: URL },
  accepts: [{ ...rest, extra: { ...extra } }]
})

let payers = 0
/** What a payer has who is to buy something. */
const FUNDS = 1_000_000n

/** A new payer each time: one whose payments fail has to wait, and with it every test that comes after. */
export const baseParty = Effect.gen(function* () {
  const requirements = yield* onBase
  const payer = evmAccount(`payer of a party ${(payers += 1)}`)
  yield* Effect.flatMap(LocalBase, ({ mintUsdc }) => mintUsdc(payer.address, FUNDS))
  const payload = yield* Effect.promise(() =>
    baseBuyer(payer).client.createPaymentPayload(challenge(requirements))
  )
  const payment = yield* Effect.flatMap(Sale, (sale) => sale.parseObject(payload))
  return { payer, requirements, payment }
})

export const solanaParty = Effect.gen(function* () {
  const requirements = yield* onSolana
  const { place, url } = yield* LocalSolana
  const payer = yield* Effect.promise(() => solanaSigner(`payer of a party ${(payers += 1)}`))
  const payload = yield* Effect.promise(async () => {
    await place.tokenAccount({ mint: USDC_MINT, owner: payer.address, amount: FUNDS })
    return solanaBuyer(payer, url).client.createPaymentPayload(challenge(requirements))
  })
  return { requirements, payment: yield* Effect.flatMap(Sale, (sale) => sale.parseObject(payload)) }
})

type BaseParty = Effect.Effect.Success<typeof baseParty>
type Party = Pick<BaseParty, "payment" | "requirements">

export const buy = <E, R>(
  { payment, requirements }: Party,
  work: Effect.Effect<string, E, R>,
  fingerprint = "ping",
  order: Partial<Order> = {}
) =>
  Effect.flatMap(Sale, (sale) =>
    sale.sell(payment, { accepts: [requirements], fingerprint, resourceUrl: URL, ...order }, work)
  )

export const report = Effect.succeed("report")

export const isEvm = (payment: Party["payment"]): payment is Eip3009Payment => payment.scheme === "eip3009"

/** Anybody may submit what the payer signed. */
export const frontRun = ({ payment }: Party) =>
  Effect.gen(function* () {
    if (!isEvm(payment)) return
    const { accounts, devnet } = yield* LocalBase
    const { authorization, signature } = payment.evm
    const { from, nonce, to, validAfter, validBefore, value } = authorization
    yield* Effect.promise(() =>
      devnet.write(accounts.trader.address, BASE_USDC, abi.usdc, "transferWithAuthorization", [
        asHex(from),
        asHex(to),
        BigInt(value),
        BigInt(validAfter),
        BigInt(validBefore),
        asHex(nonce),
        asHex(signature)
      ])
    )
  })

/** Takes an authorization back on chain, as its payer may. */
export const cancel = ({ payer, payment }: BaseParty) =>
  Effect.gen(function* () {
    if (!isEvm(payment)) return
    const { accounts, devnet } = yield* LocalBase
    const { nonce } = payment.evm.authorization
    const types = {
      CancelAuthorization: [
        { name: "authorizer", type: "address" },
        { name: "nonce", type: "bytes32" }
      ]
    } as const
    const signature = yield* Effect.promise(() =>
      payer.signTypedData({
        domain: { name: "USD Coin", version: "2", chainId: 8453, verifyingContract: BASE_USDC },
        types,
        primaryType: "CancelAuthorization",
        message: { authorizer: payer.address, nonce: asHex(nonce) }
      })
    )
    yield* Effect.promise(() =>
      devnet.write(accounts.trader.address, BASE_USDC, abi.usdc, "cancelAuthorization", [
        payer.address,
        asHex(nonce),
        signature
      ])
    )
  })

/** What an effect earned the merchant on Base, beside its result. */
export const earned = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const { accounts, usdcBalance } = yield* LocalBase
    const before = yield* usdcBalance(accounts.merchant.address)
    const result = yield* effect
    return [result, (yield* usdcBalance(accounts.merchant.address)) - before] as const
  })
