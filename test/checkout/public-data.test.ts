/** What stands on chain for everybody to read, and what it tells of an order. */
import {
  getBase58Decoder,
  getBase64Encoder,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder
} from "@solana/kit"
import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import fc from "fast-check"
import { BASE_NETWORK, SOLANA_NETWORK } from "../../src/domain/chain.ts"
import { memoCodeOf, referenceOf, solanaPayUrl } from "../../src/checkout/solana/solana-pay.ts"
import { bindingNonce } from "../../src/checkout/verify/binding.ts"
import { createCheckout, SOLANA_MERCHANT, statusOf } from "../support/checkout/shop.ts"
import { signOnSolana } from "../support/checkout/solana-buyer.ts"
import { inLiveShop } from "../support/checkout/in-shop.ts"

const TEXT = "Dr. Weber, appointment of A. Miller"

/** Every way in which these bytes could show a text: as they are, in hex, in base58 and in base64. */
const spellings = (bytes: Uint8Array): ReadonlyArray<string> => {
  const buffer = Buffer.from(bytes)
  return [
    buffer.toString("utf8"),
    buffer.toString("hex"),
    getBase58Decoder().decode(bytes),
    buffer.toString("base64")
  ]
}

/** Instructions and keys of a payment as the chain will show them. */
const onChain = (payment: string) => {
  const { payload } = JSON.parse(Buffer.from(payment, "base64").toString("utf8"))
  const bytes = getBase64Encoder().encode(payload.transaction)
  const message = getCompiledTransactionMessageDecoder().decode(
    getTransactionDecoder().decode(bytes).messageBytes
  )
  if (!("instructions" in message)) return []
  return [
    ...message.staticAccounts,
    ...message.instructions.flatMap(({ data }) =>
      data === undefined ? [] : spellings(Uint8Array.from(data))
    )
  ]
}

describe("what is on chain", () => {
  inLiveShop(
    "of a payment on Solana leads neither to the order's page nor to the merchant's text",
    function* () {
      const terms = yield* createCheckout({
        network: SOLANA_NETWORK,
        merchantPayTo: SOLANA_MERCHANT,
        amountUsd: "1",
        memo: TEXT
      })
      const id = terms.checkoutId.replace("chk_", "")
      const shown = [
        ...onChain(yield* signOnSolana(terms)),
        solanaPayUrl(terms) ?? "",
        JSON.stringify(terms.extra)
      ]
      expect(shown.some((text) => text.includes(memoCodeOf(terms.checkoutId)))).toBe(true)
      for (const text of shown) {
        expect(text.toLowerCase()).not.toContain(id)
        expect(decodeURIComponent(text)).not.toContain("Weber")
      }
      // What the chain shows is the id of no page.
      for (const code of [
        memoCodeOf(terms.checkoutId),
        referenceOf(terms.checkoutId),
        String(terms.extra["memo"])
      ])
        expect((yield* Effect.flip(statusOf(code)))._tag).toBe("CheckoutNotFound")
    }
  )

  inLiveShop("of a payment on Base that names its order is a hash with the buyer's own salt", function* () {
    const terms = yield* createCheckout({ network: BASE_NETWORK, memo: TEXT })
    const nonces = ["a", "b"].map((digit) => bindingNonce(terms, `0x${digit.repeat(64)}`))
    expect(new Set(nonces).size).toBe(2)
    for (const nonce of nonces) {
      expect(nonce).toMatch(/^0x[0-9a-f]{64}$/)
      expect(nonce).not.toContain(terms.checkoutId.replace("chk_", ""))
    }
  })

  it("is another code for every order, of the memo and of the reference", () => {
    const ids = fc.uniqueArray(fc.stringMatching(/^chk_[0-9a-f]{32}$/), { minLength: 2, maxLength: 20 })
    fc.assert(
      fc.property(ids, (all) => {
        const codes = all.flatMap((id) => [memoCodeOf(id), referenceOf(id)])
        expect(new Set(codes).size).toBe(2 * all.length)
      })
    )
  })
})
