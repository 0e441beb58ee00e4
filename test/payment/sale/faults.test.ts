import { describe, expect, layer } from "@effect/vitest"
import { Effect, Fiber, Option, Ref } from "effect"
import { evmAccount } from "../../../scripts/sandbox/accounts.ts"
import { SYSTEM_PROGRAM } from "../../../scripts/sandbox/solana/addresses.ts"
import { Sale } from "../../../src/payment/sale/sale.ts"
import { baseBuyer, LocalBase, LocalSolana } from "../../support/sandbox.ts"
import {
  baseParty,
  buy,
  cancel,
  challenge,
  earned,
  frontRun,
  isEvm,
  mendNodesAfterEach,
  Nodes,
  onBase,
  report,
  SaleOverNodes,
  solanaParty
} from "../../support/payment/failing-nodes.ts"

describe("a sale over failing nodes and hostile chains", () => {
  mendNodesAfterEach()
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

    it.effect("keeps the answer of a payment whose outcome it cannot see until the payment comes again", () =>
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

    it.effect("refuses nobody's payment because its own fee payer has run out of SOL", () =>
      Effect.gen(function* () {
        const { accounts, place } = yield* LocalSolana
        const hold = (lamports: bigint) =>
          place.account(accounts.feePayer.address, {
            owner: SYSTEM_PROGRAM,
            data: new Uint8Array(),
            lamports
          })
        const party = yield* solanaParty
        // Nothing for the fee; not the fee; the fee, and then too little to go on existing.
        for (const lamports of [1n, 9_999n, 890_880n + 5_000n]) {
          hold(lamports)
          const { _tag } = yield* Effect.flip(buy(party, report))
          expect([lamports, _tag]).toEqual([lamports, "PaymentUnavailable"])
        }
        hold(10n ** 10n)
        expect(yield* buy(party, report)).toMatchObject({ answer: "report" })
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

    it.effect("does not take a node's empty list of logs for an unpaid payment, or for a paid one", () =>
      Effect.gen(function* () {
        const { base } = yield* Nodes
        const party = yield* baseParty
        base.faults.emptyLists.add("eth_getLogs")
        const outcome = yield* Effect.flip(
          buy(party, Effect.as(Effect.delay(frontRun(party), "300 millis"), "report"))
        )
        // The nonce is used, and nobody says for what: open, and the payer signs no second one.
        expect(outcome).toMatchObject({ _tag: "PaymentUnresolved" })
        expect(yield* Effect.flip(buy(party, report))).toMatchObject({ _tag: "PaymentUnresolved" })
        base.faults.emptyLists.clear()
        const [sold, amount] = yield* earned(buy(party, report))
        expect(sold).toMatchObject({ answer: "report", replayed: true })
        expect(amount).toBe(0n)
      })
    )

    it.effect("does not take the word of a node behind the block in which somebody paid", () =>
      Effect.gen(function* () {
        const { base, late } = yield* Nodes
        const { devnet } = yield* LocalBase
        const party = yield* baseParty
        const sent = () => base.requests.get("eth_sendRawTransaction") ?? 0
        const asked = () => [...base.requests.values()].reduce((sum, one) => sum + one, 0)
        const before = sent()
        const moveUnseen = Effect.gen(function* () {
          late.head = Number(yield* Effect.promise(() => devnet.client.getBlockNumber()))
          yield* frontRun(party)
        })
        const [sold, amount] = yield* earned(
          Effect.gen(function* () {
            const selling = yield* Effect.fork(buy(party, Effect.as(moveUnseen, "report")))
            // By this node the nonce is unused, and what we send fails: it is asked again and again.
            while (sent() === before) yield* Effect.sleep("20 millis")
            const soFar = asked()
            while (asked() < soFar + 6) yield* Effect.sleep("20 millis")
            expect(yield* Fiber.poll(selling)).toEqual(Option.none())
            late.head = undefined
            return yield* Fiber.join(selling)
          })
        )
        expect(sold).toMatchObject({ answer: "report" })
        expect(amount).toBe(5000n)
      })
    )
  })
})
