import { expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import fc from "fast-check"
import { createPublicClient, custom } from "viem"
import type { PrivateKeyAccount } from "viem/accounts"
import * as abi from "../../../../scripts/sandbox/base/abi.ts"
import { hex, transferArguments } from "../../../../scripts/sandbox/base/eip3009.ts"
import { BASE_USDC } from "../../../../src/domain/chain.ts"
import { parsePaymentObject } from "../../../../src/payment/message/parse-payment.ts"
import { viewOfBase } from "../../../../src/payment/verifier/evm/view.ts"
import { landedOnBase, lookUpOnBase } from "../../../../src/payment/verifier/evm/lookup.ts"
import { VerifiedPayment } from "../../../../src/payment/verifier/verified-payment.ts"
import { authorize, envelope } from "../../../support/authorizations.ts"
import { set } from "../../../support/clocks.ts"
import { chainTime } from "../../../support/payment/base-settling.ts"
import { type Spoiling, spoiled, spoiling } from "../../../support/chain/rubbish.ts"
import { standing } from "../../../support/chain/standing.ts"
import { termsFor } from "../../../support/payment/terms.ts"
import { LocalBase } from "../../../support/sandbox.ts"

const METHODS = [
  "eth_call",
  "eth_getBlockByNumber",
  "eth_getLogs",
  "eth_getTransactionByHash",
  "eth_getTransactionReceipt"
] as const

layer(LocalBase.layer, { excludeTestServices: true, timeout: "2 minutes" })(
  "a node that answers one question with rubbish",
  (it) => {
    const terms = Effect.map(LocalBase, ({ accounts }) => termsFor(accounts.merchant.address, 5_000n))

    /** Valid for a minute by the chain's clock, which a test may have set ahead. */
    const signed = (payer: PrivateKeyAccount) =>
      Effect.gen(function* () {
        const requirements = yield* terms
        const wanted = { ...requirements, extra: { ...requirements.extra } }
        const now = yield* Effect.flatMap(LocalBase, chainTime)
        const validBefore = String(now + 60)
        const payload = yield* Effect.promise(() => authorize(payer, wanted, { validBefore }))
        const payment = yield* parsePaymentObject(envelope(wanted, payload))
        if (payment.scheme === "unsupported") return yield* Effect.dieMessage("not a payment")
        const verified = yield* VerifiedPayment.verify({ payment, requirements }).pipe(
          Effect.provide(set(now * 1_000).layer)
        )
        return { ...payload, verified }
      })

    /** Every way to spoil one of the methods' answers, as the look at a payment sees it. */
    const spoiledLooks = (
      verified: VerifiedPayment,
      begun: Parameters<ReturnType<typeof lookUpOnBase>>[1],
      check: (outcome: unknown) => void
    ) =>
      Effect.gen(function* () {
        const ask = standing((yield* LocalBase).devnet)
        const nodeWith = (bad: string, how: Spoiling) =>
          createPublicClient({
            transport: custom(
              {
                request: async ({ method, params }: { method: string; params?: ReadonlyArray<unknown> }) => {
                  const answer: unknown = await ask(method, [...(params ?? [])])
                  return method === bad ? spoiled(answer, how) : answer
                }
              },
              { retryCount: 0 }
            )
          })
        yield* Effect.promise(() =>
          fc.assert(
            fc.asyncProperty(fc.constantFrom(...METHODS), spoiling, async (method, how) => {
              const client = nodeWith(method, how)
              check(await Effect.runPromise(lookUpOnBase([{ host: "liar", client }])(verified, begun)))
            }),
            { numRuns: 100 }
          )
        )
      })

    it.effect("never makes a paid payment void, nor its evidence another", () =>
      Effect.gen(function* () {
        const { accounts, devnet } = yield* LocalBase
        const since = Number(yield* Effect.promise(() => devnet.client.getBlockNumber()))
        const { authorization, signature, verified } = yield* signed(accounts.payer)
        yield* Effect.promise(() =>
          devnet.write(
            accounts.trader.address,
            hex(BASE_USDC),
            abi.usdc,
            "transferWithAuthorization",
            transferArguments(authorization, signature)
          )
        )
        const honest = yield* lookUpOnBase([{ host: "honest", client: devnet.client }])(verified, {
          transaction: null,
          since
        })
        expect(honest).toMatchObject({ state: "settled" })
        const transaction = honest.state === "settled" ? honest.evidence.transaction : null
        for (const begun of [
          { transaction: null, since },
          { transaction, since },
          { transaction: `0x${"77".repeat(32)}`, since: 0 }
        ]) {
          yield* spoiledLooks(verified, begun, (outcome) => {
            expect(outcome).toSatisfy(
              (one: typeof honest) => one.state === "open" || JSON.stringify(one) === JSON.stringify(honest)
            )
          })
        }
      })
    )

    it.effect("never makes an unused payment paid, nor void before its window is over", () =>
      Effect.gen(function* () {
        const { accounts, devnet } = yield* LocalBase
        const { verified } = yield* signed(accounts.payer)
        const begun = { transaction: null, since: 0 }
        yield* spoiledLooks(verified, begun, (outcome) => expect(outcome).toMatchObject({ state: "open" }))
        yield* Effect.promise(() => devnet.request("evm_increaseTime", [300]))
        yield* Effect.promise(() => devnet.request("anvil_mine", ["0x41", "0x1"]))
        yield* spoiledLooks(verified, begun, (outcome) =>
          expect(outcome).toMatchObject({ state: expect.stringMatching(/^(?:open|void)$/) })
        )
      })
    )

    it.effect("never makes a payment void by a header that does not tell its time", () =>
      Effect.gen(function* () {
        const { accounts, devnet } = yield* LocalBase
        const { verified } = yield* signed(accounts.payer)
        for (const timestamp of [undefined, null, "", "0x", "0xzz", true, [], 1, `0x${"f".repeat(9)}`]) {
          const request = async ({ method, params }: { method: string; params?: ReadonlyArray<unknown> }) => {
            const answer: unknown = await devnet.request(method, [...(params ?? [])])
            return method === "eth_getBlockByNumber" ? { ...Object(answer), timestamp } : answer
          }
          const client = createPublicClient({ transport: custom({ request }, { retryCount: 0 }) })
          const look = lookUpOnBase([{ host: "liar", client }])
          const outcome = yield* look(verified, { transaction: null, since: 0 })
          expect([timestamp, outcome.state]).toEqual([timestamp, "open"])
        }
      })
    )

    it.effect("never says that a payment is not on the chain any more, nor when it landed", () =>
      Effect.gen(function* () {
        const { devnet } = yield* LocalBase
        const { hash, number, timestamp } = yield* Effect.promise(() => devnet.client.getBlock())
        const at = { height: Number(number), blockHash: hash }
        const ask = standing(devnet)
        yield* Effect.promise(() =>
          fc.assert(
            fc.asyncProperty(spoiling, async (how) => {
              const request = async ({
                method,
                params
              }: {
                method: string
                params?: ReadonlyArray<unknown>
              }) => spoiled(await ask(method, [...(params ?? [])]), how)
              const client = createPublicClient({ transport: custom({ request }, { retryCount: 0 }) })
              const evidence = { ...EVIDENCE, ...at }
              const view = await Effect.runPromise(Effect.either(viewOfBase([{ host: "liar", client }])))
              const held = view._tag === "Left" ? [] : await Effect.runPromise(view.right.holds([evidence]))
              expect(held).not.toContain(false)
              const landed = await Effect.runPromise(Effect.either(landedOnBase(client)(evidence)))
              if (landed._tag === "Right") expect(landed.right).toBe(Number(timestamp))
            }),
            { numRuns: 100 }
          )
        )
      })
    )
  }
)

const EVIDENCE = {
  network: "eip155:8453",
  transaction: `0x${"77".repeat(32)}`,
  index: 0,
  payer: "",
  payTo: "",
  amount: "5000"
} as const
