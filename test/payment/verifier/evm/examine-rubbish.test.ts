import { expect, layer } from "@effect/vitest"
import { Effect } from "effect"
import { serializeErc6492Signature } from "viem"
import { parsePaymentObject } from "../../../../src/payment/message/parse-payment.ts"
import { examineOnBase } from "../../../../src/payment/verifier/evm/examine.ts"
import { VerifiedPayment } from "../../../../src/payment/verifier/verified-payment.ts"
import { authorize, envelope } from "../../../support/authorizations.ts"
import { clientOver } from "../../../support/chain/client-over.ts"
import { termsFor } from "../../../support/payment/terms.ts"
import { LocalBase } from "../../../support/sandbox.ts"

/** A wallet that takes every signature for its own: it answers with the magic value of ERC-1271. */
const WALLET = `0x7f1626ba7e${"00".repeat(28)}60005260206000f3`

/** What is no hex of whole bytes, and what only seems to be one. */
const RUBBISH = [
  null,
  "",
  "0x0",
  "0x1",
  "0xzz",
  "yes",
  true,
  false,
  -1,
  0,
  1.5,
  [],
  [null],
  {},
  { data: "0x" }
]

layer(LocalBase.layer, { excludeTestServices: true, timeout: "2 minutes" })(
  "an examination by a node that answers one question with rubbish",
  (it) => {
    const clientWith = (bad: string, rubbish: unknown) =>
      Effect.map(LocalBase, ({ devnet }) =>
        clientOver(async (method, params) => (method === bad ? rubbish : devnet.request(method, params)))
      )

    it.effect("is an outage and never a verdict", () =>
      Effect.gen(function* () {
        const { accounts, devnet } = yield* LocalBase
        const requirements = termsFor(accounts.merchant.address, 5_000n)
        const wanted = { ...requirements, extra: { ...requirements.extra } }
        const { authorization, signature } = yield* Effect.promise(() => authorize(accounts.payer, wanted))
        const wrapped = serializeErc6492Signature({
          address: accounts.merchant.address,
          data: "0x",
          signature
        })
        yield* Effect.promise(() => devnet.request("anvil_setCode", [accounts.payer.address, WALLET]))
        for (const one of [signature, wrapped]) {
          const payment = yield* parsePaymentObject(envelope(wanted, { authorization, signature: one }))
          if (payment.scheme === "unsupported") return yield* Effect.dieMessage("not a payment")
          const payer = accounts.payer.address.toLowerCase()
          const verified = VerifiedPayment.recorded({ payment, requirements }, payer)
          yield* examineOnBase(yield* clientWith("", null))(verified)
          for (const method of ["eth_call", "eth_getCode"]) {
            for (const rubbish of RUBBISH) {
              const said = yield* Effect.flip(examineOnBase(yield* clientWith(method, rubbish))(verified))
              expect([method, rubbish, said._tag]).toEqual([method, rubbish, "PaymentUnavailable"])
            }
          }
        }
      })
    )
  }
)
