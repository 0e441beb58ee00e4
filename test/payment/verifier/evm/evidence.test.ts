import { describe, expect, it, layer } from "@effect/vitest"
import { Effect } from "effect"
import fc from "fast-check"
import {
  encodeAbiParameters,
  encodeEventTopics,
  encodeFunctionData,
  type Hex,
  multicall3Abi,
  pad
} from "viem"
import type { PrivateKeyAccount } from "viem/accounts"
import { MULTICALL3 } from "../../../../scripts/sandbox/base/addresses.ts"
import * as abi from "../../../../scripts/sandbox/base/abi.ts"
import { BASE_USDC } from "../../../../src/domain/chain.ts"
import { parsePaymentObject } from "../../../../src/payment/message/parse-payment.ts"
import { evidenceKey } from "../../../../src/payment/outcome.ts"
import { VerifiedPayment } from "../../../../src/payment/verifier/verified-payment.ts"
import { type Authorized, useByCall, useIn } from "../../../../src/payment/verifier/evm/evidence.ts"
import { lookUpOnBase } from "../../../../src/payment/verifier/evm/lookup.ts"
import { transferCall, usdcAbi } from "../../../../src/payment/verifier/evm/usdc.ts"
import type { Authorization } from "../../../../scripts/sandbox/base/eip3009.ts"
import { hex, transferArguments } from "../../../../scripts/sandbox/base/eip3009.ts"
import { authorize, envelope } from "../../../support/authorizations.ts"
import { set } from "../../../support/clocks.ts"
import { chainTime } from "../../../support/payment/base-settling.ts"
import { LocalBase } from "../../../support/sandbox.ts"
import { termsFor } from "../../../support/payment/terms.ts"

type Logs = Parameters<typeof useIn>[0]

const PAYER = `0x${"11".repeat(20)}` as const
const SHOP = `0x${"77".repeat(20)}` as const
const NONCE = `0x${"ab".repeat(32)}` as const
const sold: Authorized = {
  asset: BASE_USDC.toLowerCase(),
  payer: PAYER,
  nonce: NONCE,
  payTo: SHOP,
  amount: "5000"
}

const log = (topics: ReadonlyArray<Hex>, data: Hex = "0x", address: Hex = BASE_USDC): Logs[number] => ({
  address,
  topics,
  data
})
const topic = (eventName: "AuthorizationUsed" | "AuthorizationCanceled" | "Transfer"): Hex =>
  hex(String(encodeEventTopics({ abi: usdcAbi, eventName })[0]))
const used = (nonce: Hex = NONCE) => log([topic("AuthorizationUsed"), pad(PAYER), nonce])
const transfer = (value: bigint, to: Hex = SHOP, from: Hex = PAYER, address: Hex = BASE_USDC) =>
  log([topic("Transfer"), pad(from), pad(to)], encodeAbiParameters([{ type: "uint256" }], [value]), address)

describe("the transfer that belongs to an authorization", () => {
  it("is the next log of the token, whatever stands before and after", () => {
    const others = fc.array(
      fc.constantFrom(
        transfer(5000n),
        transfer(0n),
        used(`0x${"cd".repeat(32)}`),
        transfer(5000n, PAYER, SHOP)
      )
    )
    fc.assert(
      fc.property(others, others, (before, after) => {
        const logs = [...before, used(), transfer(5000n), ...after]
        expect(useIn(logs, sold)).toEqual({ kind: "paid", index: before.length })
      })
    )
  })

  it.each<readonly [string, Logs, string]>([
    ["of another amount", [used(), transfer(0n), transfer(5000n)], "elsewhere"],
    ["to somebody else", [transfer(5000n), used(), transfer(5000n, PAYER)], "elsewhere"],
    [
      "that was cancelled",
      [log([topic("AuthorizationCanceled"), pad(PAYER), NONCE]), transfer(5000n)],
      "cancelled"
    ],
    ["with another log in between", [used(), used(`0x${"cd".repeat(32)}`), transfer(5000n)], "unclear"],
    ["of another token", [used(), transfer(5000n, SHOP, PAYER, `0x${"99".repeat(20)}`)], "unclear"],
    ["from somebody else", [used(), transfer(5000n, SHOP, SHOP)], "unclear"],
    ["in front of it", [transfer(5000n), used()], "unclear"]
  ])("is not one %s", (_, logs, kind) => {
    expect(useIn(logs, sold)?.kind).toBe(kind)
  })

  it("is told by the call where the logs do not tell, and by nothing else", () => {
    const payload = (value: string) => ({
      signature: `0x${"11".repeat(65)}`,
      authorization: { from: PAYER, to: SHOP, value, validAfter: "0", validBefore: "9", nonce: NONCE }
    })
    const direct = (value: string, to: string = BASE_USDC) =>
      useByCall({ to, input: transferCall(payload(value)) }, 4, sold)
    expect(direct("5000")).toEqual({ kind: "paid", index: 4 })
    expect(direct("0")).toEqual({ kind: "elsewhere", index: 4 })
    expect(direct("5000", MULTICALL3)).toEqual({ kind: "unclear", index: 4 })
    expect(useByCall({ to: BASE_USDC, input: "0xdeadbeef" }, 4, sold)).toEqual({ kind: "unclear", index: 4 })
    expect(useByCall({ to: null, input: "0x" }, 4, sold)).toEqual({ kind: "unclear", index: 4 })
  })
})

const execute = (authorization: Authorization, signature: Hex): Hex =>
  encodeFunctionData({
    abi: abi.usdc,
    functionName: "transferWithAuthorization",
    args: transferArguments(authorization, signature)
  })

const terms = Effect.map(LocalBase, ({ accounts }) => termsFor(accounts.merchant.address, 5_000n))

/** A payment that passed our checks, as it is before anybody has settled it. */
const signed = (payer: PrivateKeyAccount) =>
  Effect.gen(function* () {
    const requirements = yield* terms
    // By the chain's clock, which a test sets ahead.
    const now = yield* Effect.flatMap(LocalBase, chainTime)
    const validBefore = String(now + 60)
    const payload = yield* Effect.promise(() =>
      authorize(payer, { ...requirements, extra: { ...requirements.extra } }, { validBefore })
    )
    const payment = yield* parsePaymentObject(
      envelope({ ...requirements, extra: { ...requirements.extra } }, payload)
    )
    if (payment.scheme === "unsupported") return yield* Effect.dieMessage("not a payment")
    const verified = yield* VerifiedPayment.verify({ payment, requirements }).pipe(
      Effect.provide(set(now * 1_000).layer)
    )
    return { ...payload, verified }
  })

layer(LocalBase.layer, { excludeTestServices: true })("on a chain", (it) => {
  const setUp = Effect.gen(function* () {
    const { accounts, devnet, url } = yield* LocalBase
    const since = Number(yield* Effect.promise(() => devnet.client.getBlockNumber()))
    const lookup = lookUpOnBase([{ host: new URL(url).host, client: devnet.client }])
    return {
      accounts,
      devnet,
      lookup: (verified: VerifiedPayment) => lookup(verified, { transaction: null, since })
    }
  })

  it.effect("one transfer beside four of nothing with the same nonces pays one of five payments", () =>
    Effect.gen(function* () {
      const { accounts, devnet, lookup } = yield* setUp
      const requirements = yield* terms
      const payments = yield* Effect.all(Array.from({ length: 5 }, () => signed(accounts.payer)))
      const calls = yield* Effect.forEach(payments, ({ authorization, signature }, index) =>
        Effect.promise(async () => {
          if (index === 0) return execute(authorization, signature)
          // The same nonce once more, signed for nothing.
          const nothing = await authorize(
            accounts.payer,
            { ...requirements, extra: {} },
            { value: "0", nonce: authorization.nonce }
          )
          return execute(nothing.authorization, nothing.signature)
        })
      )
      const before = yield* (yield* LocalBase).usdcBalance(accounts.merchant.address)
      yield* Effect.promise(() =>
        devnet.write(accounts.trader.address, MULTICALL3, multicall3Abi, "aggregate3", [
          calls.map((callData) => ({ target: BASE_USDC, allowFailure: false, callData }))
        ])
      )
      expect((yield* (yield* LocalBase).usdcBalance(accounts.merchant.address)) - before).toBe(5000n)
      const outcomes = yield* Effect.forEach(payments, ({ verified }) => lookup(verified))
      expect(outcomes.map(({ state }) => state)).toEqual(["settled", "void", "void", "void", "void"])
      for (const outcome of outcomes.slice(1)) {
        expect(outcome).toMatchObject({ proof: { kind: "nonce-used-elsewhere" } })
      }
    })
  )

  it.effect("five payments settled in one transaction are five pieces of evidence", () =>
    Effect.gen(function* () {
      const { accounts, devnet, lookup } = yield* setUp
      const payments = yield* Effect.all(Array.from({ length: 5 }, () => signed(accounts.payer)))
      yield* Effect.promise(() =>
        devnet.write(accounts.trader.address, MULTICALL3, multicall3Abi, "aggregate3", [
          payments.map(({ authorization, signature }) => ({
            target: BASE_USDC,
            allowFailure: false,
            callData: execute(authorization, signature)
          }))
        ])
      )
      const outcomes = yield* Effect.forEach(payments, ({ verified }) => lookup(verified))
      const keys = outcomes.flatMap((found) =>
        found.state === "settled" ? [evidenceKey(found.evidence)] : []
      )
      expect(new Set(keys).size).toBe(5)
    })
  )

  it.effect("an unused payment is open until its window has closed for good, and void from then on", () =>
    Effect.gen(function* () {
      const { accounts, devnet, lookup } = yield* setUp
      const { verified } = yield* signed(accounts.payer)
      expect(yield* lookup(verified)).toMatchObject({ state: "open" })
      yield* Effect.promise(() => devnet.request("evm_increaseTime", [70]))
      yield* Effect.promise(() => devnet.request("anvil_mine", ["0x1", "0x1"]))
      // The window is over, and the block that shows it may still be reorganised.
      expect(yield* lookup(verified)).toMatchObject({ state: "open" })
      yield* Effect.promise(() => devnet.request("anvil_mine", ["0x28", "0x1"]))
      expect(yield* lookup(verified)).toMatchObject({
        state: "void",
        proof: { kind: "window-closed", seen: { blockHash: expect.stringMatching(/^0x[0-9a-f]{64}$/) } }
      })
    })
  )
})
