import { describe, expect, layer } from "@effect/vitest"
import { ConfigProvider, Context, Effect, Fiber, Layer, Ref } from "effect"
import { evmAccount, evmKey } from "../../../scripts/sandbox/accounts.ts"
import * as abi from "../../../scripts/sandbox/base/abi.ts"
import type { RpcProxy } from "../../../scripts/sandbox/rpc-proxy.ts"
import { ChainRpcLive } from "../../../src/chain/chain-rpc-live.ts"
import { BASE_NETWORK, BASE_USDC, SOLANA_NETWORK, SOLANA_USDC } from "../../../src/domain/chain.ts"
import type { PaymentRequirements } from "../../../src/domain/x402.ts"
import { asHex } from "../../../src/payment/verifier/evm/usdc.ts"
import { PaymentVerifierLive } from "../../../src/payment/verifier/payment-verifier-live.ts"
import type { Eip3009Payment } from "../../../src/payment/message/payment.ts"
import { SaleLive } from "../../../src/payment/sale/sale-live.ts"
import { type Order, Sale } from "../../../src/payment/sale/sale.ts"
import { databaseAt } from "../../../src/storage/database.ts"
import { baseBuyer, LocalBase, LocalSolana, solanaBuyer, startRpcProxy } from "../../support/sandbox.ts"

const URL = "http://127.0.0.1/ping"

/** Nodes between us and the chains, which fail on request. */
class Nodes extends Context.Tag("test/Nodes")<
  Nodes,
  { readonly base: RpcProxy; readonly solana: RpcProxy }
>() {
  static readonly layer = Layer.scoped(
    Nodes,
    Effect.gen(function* () {
      const base = yield* startRpcProxy((yield* LocalBase).url)
      const solana = yield* startRpcProxy((yield* LocalSolana).url)
      return { base, solana }
    })
  )
}

const SaleOverNodes = Layer.unwrapEffect(
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
      Layer.provide(Layer.merge(ChainRpcLive, databaseAt({ dialect: "sqlite", path: ":memory:" }))),
      Layer.provide(Layer.setConfigProvider(ConfigProvider.fromMap(config)))
    )
  })
).pipe(Layer.provideMerge(Nodes.layer), Layer.provideMerge(Layer.merge(LocalBase.layer, LocalSolana.layer)))

const onBase = Effect.map(LocalBase, ({ accounts }): PaymentRequirements => ({
  scheme: "exact",
  network: BASE_NETWORK,
  amount: "5000",
  asset: BASE_USDC,
  payTo: accounts.merchant.address,
  maxTimeoutSeconds: 60,
  extra: { name: "USD Coin", version: "2" }
}))

const onSolana = Effect.map(LocalSolana, ({ accounts }): PaymentRequirements => ({
  scheme: "exact",
  network: SOLANA_NETWORK,
  amount: "5000",
  asset: SOLANA_USDC,
  payTo: accounts.merchant.address,
  maxTimeoutSeconds: 60,
  extra: { feePayer: accounts.feePayer.address }
}))

const challenge = ({ extra, ...rest }: PaymentRequirements) => ({
  x402Version: 2,
  resource: { url: URL },
  accepts: [{ ...rest, extra: { ...extra } }]
})

const baseParty = Effect.gen(function* () {
  const requirements = yield* onBase
  const { accounts } = yield* LocalBase
  const payload = yield* Effect.promise(() =>
    baseBuyer(accounts.payer).client.createPaymentPayload(challenge(requirements))
  )
  return { requirements, payment: yield* Effect.flatMap(Sale, (sale) => sale.parseObject(payload)) }
})

const solanaParty = Effect.gen(function* () {
  const requirements = yield* onSolana
  const { accounts, url } = yield* LocalSolana
  const payload = yield* Effect.promise(() =>
    solanaBuyer(accounts.payer, url).client.createPaymentPayload(challenge(requirements))
  )
  return { requirements, payment: yield* Effect.flatMap(Sale, (sale) => sale.parseObject(payload)) }
})

type Party = Effect.Effect.Success<typeof baseParty>

const buy = <E, R>(
  { payment, requirements }: Party,
  work: Effect.Effect<string, E, R>,
  fingerprint = "ping",
  order: Partial<Order> = {}
) =>
  Effect.flatMap(Sale, (sale) =>
    sale.sell(payment, { accepts: [requirements], fingerprint, resourceUrl: URL, ...order }, work)
  )

const report = Effect.succeed("report")

const isEvm = (payment: Party["payment"]): payment is Eip3009Payment => payment.scheme === "eip3009"

/** Anybody may submit what the payer signed. */
const frontRun = ({ payment }: Party) =>
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

const cancel = ({ payment }: Party) =>
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
      accounts.payer.signTypedData({
        domain: { name: "USD Coin", version: "2", chainId: 8453, verifyingContract: BASE_USDC },
        types,
        primaryType: "CancelAuthorization",
        message: { authorizer: accounts.payer.address, nonce: asHex(nonce) }
      })
    )
    yield* Effect.promise(() =>
      devnet.write(accounts.trader.address, BASE_USDC, abi.usdc, "cancelAuthorization", [
        accounts.payer.address,
        asHex(nonce),
        signature
      ])
    )
  })

const earned = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.gen(function* () {
    const { accounts, usdcBalance } = yield* LocalBase
    const before = yield* usdcBalance(accounts.merchant.address)
    const result = yield* effect
    return [result, (yield* usdcBalance(accounts.merchant.address)) - before] as const
  })

describe("a sale over failing nodes and hostile chains", () => {
  layer(SaleOverNodes, { excludeTestServices: true })((it) => {
    it.effect("refuses a payment that is used on chain when it first comes", () =>
      Effect.gen(function* () {
        const party = yield* baseParty
        yield* frontRun(party)
        for (const order of ["ping", "deep"]) {
          expect(yield* Effect.flip(buy(party, report, order))).toMatchObject({
            _tag: "PaymentRejected",
            reason: "payment_already_used"
          })
        }
      })
    )

    it.effect("counts a transfer that names its own order, whenever it was made, for one answer", () =>
      Effect.gen(function* () {
        const party = yield* baseParty
        yield* frontRun(party)
        const bound = { binding: "authorization" } as const
        expect(yield* buy(party, report, "ping", bound)).toMatchObject({ answer: "report", replayed: false })
        expect(yield* buy(party, Effect.succeed("another"), "ping", bound)).toMatchObject({
          answer: "report",
          replayed: true
        })
      })
    )

    it.effect("counts a transfer that somebody else submitted while we worked as paid", () =>
      Effect.gen(function* () {
        const party = yield* baseParty
        const [sold, amount] = yield* earned(
          buy(party, Effect.as(Effect.delay(frontRun(party), "300 millis"), "report"))
        )
        expect(sold.answer).toBe("report")
        expect(amount).toBe(5000n)
      }).pipe(Effect.orDie)
    )

    it.effect("refuses an authorization its payer cancelled, before or during the work", () =>
      Effect.gen(function* () {
        const before = yield* baseParty
        yield* cancel(before)
        const during = yield* baseParty
        const [errors, amount] = yield* earned(
          Effect.all([
            Effect.flip(buy(before, report)),
            Effect.flip(buy(during, Effect.as(Effect.delay(cancel(during), "300 millis"), "report")))
          ])
        )
        for (const error of errors) expect(error).toMatchObject({ _tag: "PaymentRejected" })
        expect(amount).toBe(0n)
      })
    )

    it.effect("calls a node that does not answer an outage, never a bad signature", () =>
      Effect.gen(function* () {
        const { base, solana } = yield* Nodes
        const [evm, svm] = [yield* baseParty, yield* solanaParty]
        base.faults.refusedMethods.add("eth_call")
        expect(yield* Effect.flip(buy(evm, report))).toMatchObject({
          _tag: "PaymentUnavailable",
          upstream: "base-rpc"
        })
        base.faults.refusedMethods.clear()
        solana.faults.refusedMethods.add("simulateTransaction")
        expect(yield* Effect.flip(buy(svm, report))).toMatchObject({
          _tag: "PaymentUnavailable",
          upstream: "solana-rpc"
        })
        solana.faults.refusedMethods.clear()
        expect(yield* buy(evm, report)).toMatchObject({ answer: "report" })
        expect(yield* buy(svm, report)).toMatchObject({ answer: "report" })
      })
    )

    it.effect("learns from the chain what a lost reply to a broadcast hid", () =>
      Effect.gen(function* () {
        const { base, solana } = yield* Nodes
        base.faults.lostReplies.add("eth_sendRawTransaction")
        solana.faults.lostReplies.add("sendTransaction")
        const party = yield* baseParty
        const [sold, amount] = yield* earned(buy(party, report))
        expect(sold.answer).toBe("report")
        expect(amount).toBe(5000n)
        const outcome = yield* Effect.either(buy(yield* solanaParty, report))
        base.faults.lostReplies.clear()
        solana.faults.lostReplies.clear()
        expect(outcome).toMatchObject({ _tag: "Right" })
      })
    )

    it.effect(
      "keeps the answer of a payment whose outcome it cannot see, and gives it when the payment comes again",
      () =>
        Effect.gen(function* () {
          const { base } = yield* Nodes
          const party = yield* baseParty
          const runs = yield* Ref.make(0)
          const work = Effect.as(
            Ref.update(runs, (n) => n + 1),
            "report"
          )
          base.faults.refusedMethods.add("eth_sendRawTransaction")
          expect(yield* Effect.flip(buy(party, work))).toMatchObject({ _tag: "PaymentUnresolved" })
          base.faults.refusedMethods.clear()
          const [sold, amount] = yield* earned(buy(party, work))
          expect(sold).toMatchObject({ answer: "report", replayed: true })
          expect(amount).toBe(5000n)
          expect(yield* Ref.get(runs)).toBe(1)
        })
    )

    it.effect(
      "charges nothing when the caller leaves during the work, and everything is delivered when he leaves later",
      () =>
        Effect.gen(function* () {
          const party = yield* baseParty
          const [, amount] = yield* earned(
            Effect.gen(function* () {
              const fiber = yield* Effect.fork(buy(party, Effect.never))
              yield* Effect.sleep("300 millis")
              yield* Fiber.interrupt(fiber)
            })
          )
          expect(amount).toBe(0n)
          const started = yield* Effect.fork(buy(party, report))
          yield* Effect.sleep("60 millis")
          yield* Fiber.interrupt(started)
          expect(yield* buy(party, Effect.succeed("report"))).toMatchObject({ answer: "report" })
        })
    )

    it.effect("resends a Solana transfer that nodes dropped", () =>
      Effect.gen(function* () {
        const { ledger } = yield* LocalSolana
        ledger.faults.dropTransactions = 2
        expect(yield* buy(yield* solanaParty, report)).toMatchObject({ answer: "report" })
        ledger.faults.dropTransactions = 0
      })
    )

    it.effect("refuses a contract wallet whose signature check burns gas, before it costs us any", () =>
      Effect.gen(function* () {
        const { accounts, devnet, mintUsdc } = yield* LocalBase
        const requirements = yield* onBase
        const wallet = evmAccount("gas burner wallet").address
        // JUMPDEST PUSH1 0 JUMP: loops for ever.
        yield* Effect.promise(() => devnet.setCode(wallet, "0x5b600056"))
        yield* mintUsdc(wallet, 1_000_000n)
        const payload = yield* Effect.promise(() =>
          baseBuyer(accounts.payer, wallet).client.createPaymentPayload(challenge(requirements))
        )
        const payment = yield* Effect.flatMap(Sale, (sale) => sale.parseObject(payload))
        const nonce = () => devnet.client.getTransactionCount({ address: accounts.settler.address })
        const before = yield* Effect.promise(nonce)
        const error = yield* Effect.flip(buy({ payment, requirements }, report))
        expect(error).toMatchObject({ _tag: "PaymentRejected", reason: "invalid_exact_evm_signature" })
        expect(yield* Effect.promise(nonce)).toBe(before)
      })
    )

    it.effect("asks a payer with code for its consent also when its key signed (EIP-7702)", () =>
      Effect.gen(function* () {
        const { devnet, mintUsdc } = yield* LocalBase
        const requirements = yield* onBase
        const delegated = evmAccount("delegated account")
        // Answers every call with 32 zero bytes: it consents to nothing.
        yield* Effect.promise(() => devnet.setCode(delegated.address, "0x60206000f3"))
        yield* mintUsdc(delegated.address, 1_000_000n)
        const payload = yield* Effect.promise(() =>
          baseBuyer(delegated).client.createPaymentPayload(challenge(requirements))
        )
        const payment = yield* Effect.flatMap(Sale, (sale) => sale.parseObject(payload))
        expect(yield* Effect.flip(buy({ payment, requirements }, report))).toMatchObject({
          _tag: "PaymentRejected",
          reason: "invalid_exact_evm_signature"
        })
      })
    )

    it.effect("refuses a wallet that is not deployed yet (ERC-6492)", () =>
      Effect.gen(function* () {
        const requirements = yield* onBase
        const { payment } = yield* baseParty
        if (!isEvm(payment)) return
        const wrapped = `0x${"00".repeat(96)}${"6492".repeat(16)}`
        const { authorization } = payment.evm
        const undeployed = { ...authorization, from: `0x${"99".repeat(20)}` }
        const changed = yield* Effect.flatMap(Sale, (sale) =>
          sale.parseObject({
            x402Version: 2,
            accepted: requirements,
            payload: { signature: wrapped, authorization: undeployed }
          })
        )
        expect(yield* Effect.flip(buy({ payment: changed, requirements }, report))).toMatchObject({
          _tag: "PaymentRejected",
          reason: "eip6492_factory_not_allowed"
        })
      })
    )
  })
})
