import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import fc from "fast-check"
import { type Hex, hashTypedData, numberToHex, parseSignature, serializeSignature } from "viem"
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts"
import { typedAuthorization } from "../../../../scripts/sandbox/base/eip3009.ts"
import { BASE_NETWORK, BASE_USDC } from "../../../../src/domain/chain.ts"
import type { Eip3009Payload, PaymentRequirements } from "../../../../src/domain/x402.ts"
import { authorizationDigest, isSignedBy } from "../../../../src/payment/verifier/evm/authorization.ts"
import { verifyEip3009 } from "../../../../src/payment/verifier/evm/verify-locally.ts"
import { hashesFast, keccak, keccakWithViem } from "../../../../src/chain/keccak.ts"
import { recoverSigner, recoverWithViem } from "../../../../src/payment/verifier/evm/secp256k1.ts"
import { asHex } from "../../../../src/payment/verifier/evm/usdc.ts"

const NOW = 1_800_000_000n
const ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
const account = privateKeyToAccount(generatePrivateKey())
const PAY_TO = `0x${"77".repeat(20)}`

const requirements: PaymentRequirements = {
  scheme: "exact",
  network: BASE_NETWORK,
  amount: "5000",
  asset: BASE_USDC,
  payTo: PAY_TO,
  maxTimeoutSeconds: 60,
  extra: { name: "USD Coin", version: "2" }
}

const authorization = {
  from: account.address.toLowerCase(),
  to: PAY_TO,
  value: "5000",
  validAfter: "0",
  validBefore: (NOW + 60n).toString(),
  nonce: `0x${"ab".repeat(32)}`
}

const signed = (change: Partial<Eip3009Payload["authorization"]> = {}) =>
  Effect.promise(async (): Promise<Eip3009Payload> => {
    const terms = { ...authorization, ...change }
    return { authorization: terms, signature: await account.signTypedData(typedAuthorization(terms)) }
  })

const check = (payload: Eip3009Payload) => Effect.promise(() => verifyEip3009(payload, requirements, NOW))

const hex32 = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .map((bytes): Hex => `0x${Buffer.from(bytes).toString("hex")}`)

describe("checking an authorization without a chain", () => {
  it("hashes what viem hashes", () => {
    const amount = fc.bigInt({ min: 0n, max: 2n ** 120n }).map(String)
    fc.assert(
      fc.property(hex32, amount, amount, amount, (nonce, value, validAfter, validBefore) => {
        const terms = { ...authorization, nonce, value, validAfter, validBefore }
        const digest = authorizationDigest(terms, requirements) ?? new Uint8Array()
        expect(`0x${Buffer.from(digest).toString("hex")}`).toBe(hashTypedData(typedAuthorization(terms)))
      }),
      { numRuns: 50 }
    )
  })

  it.effect("proves the payer's own signature", () =>
    Effect.gen(function* () {
      expect(yield* check(yield* signed())).toEqual({
        ok: true,
        payer: authorization.from,
        signatureVerified: true
      })
    })
  )

  it.effect("does not take a tampered authorization, another's or a truncated signature as verified", () =>
    Effect.gen(function* () {
      const payload = yield* signed()
      const tampered = {
        ...payload,
        authorization: { ...payload.authorization, nonce: `0x${"ac".repeat(32)}` }
      }
      expect(yield* check(tampered)).toMatchObject({ ok: true, signatureVerified: false })
      const short = { ...payload, signature: payload.signature.slice(0, -2) }
      expect(yield* check(short)).toMatchObject({ ok: true, signatureVerified: false })
    })
  )

  it.effect("does not take a high-s signature, which USDC refuses", () =>
    Effect.gen(function* () {
      const payload = yield* signed()
      const { r, s, yParity } = parseSignature(asHex(payload.signature))
      const high = serializeSignature({
        r,
        s: numberToHex(ORDER - BigInt(s), { size: 32 }),
        yParity: yParity === 0 ? 1 : 0
      })
      expect(yield* check({ ...payload, signature: high })).toMatchObject({
        ok: true,
        signatureVerified: false
      })
    })
  )

  it.effect.each<readonly [string, Partial<Eip3009Payload["authorization"]>, string]>([
    ["paying somebody else", { to: `0x${"78".repeat(20)}` }, "invalid_exact_evm_recipient_mismatch"],
    ["paying less", { value: "4999" }, "invalid_exact_evm_payload_authorization_value_mismatch"],
    ["paying more", { value: "5001" }, "invalid_exact_evm_payload_authorization_value_mismatch"],
    ["over", { validBefore: NOW.toString() }, "invalid_exact_evm_payload_authorization_valid_before"],
    [
      "about to be over",
      { validBefore: (NOW + 2n).toString() },
      "invalid_exact_evm_payload_authorization_valid_before"
    ],
    [
      "valid for a year",
      { validBefore: (NOW + 31_536_000n).toString() },
      "invalid_exact_evm_payload_authorization_valid_before"
    ],
    [
      "valid later",
      { validAfter: (NOW + 30n).toString() },
      "invalid_exact_evm_payload_authorization_valid_after"
    ]
  ])("refuses an authorization that is %s", ([, change, reason]) =>
    Effect.gen(function* () {
      expect(yield* check(yield* signed(change))).toMatchObject({ ok: false, reason })
    })
  )

  it.effect("refuses an authorization of the recipient's own: nothing would come in", () =>
    Effect.gen(function* () {
      const own = yield* signed({ to: account.address.toLowerCase() })
      const terms = { ...requirements, payTo: account.address }
      expect(yield* Effect.promise(() => verifyEip3009(own, terms, NOW))).toMatchObject({
        ok: false,
        reason: "invalid_exact_evm_recipient_is_payer"
      })
    })
  )

  it.effect("recovers the same key natively and in JavaScript", () =>
    Effect.gen(function* () {
      const payload = yield* signed()
      const digest = authorizationDigest(payload.authorization, requirements) ?? new Uint8Array()
      const rs = Buffer.from(payload.signature.slice(2, 130), "hex")
      const recovery = payload.signature.endsWith("1b") ? 0 : 1
      const native = yield* Effect.promise(() => recoverSigner(digest, rs, recovery))
      const script = yield* Effect.promise(() => recoverWithViem(digest, rs, recovery))
      expect(Buffer.from(native ?? []).toString("hex")).toBe(Buffer.from(script ?? []).toString("hex"))
    })
  )

  it("never throws for any signature", async () => {
    const digest = new Uint8Array(32).fill(7)
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 0, maxLength: 70 }), async (bytes) => {
        const signature = `0x${Buffer.from(bytes).toString("hex")}`
        expect(await isSignedBy(digest, signature, account.address)).toBe(false)
      })
    )
  })
})

describe("Keccak in WebAssembly", () => {
  it.effect("hashes whatever bytes as viem does", () =>
    Effect.gen(function* () {
      expect(yield* hashesFast).toBe(true)
      fc.assert(
        fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
          expect(Buffer.from(keccak(bytes)).equals(keccakWithViem(bytes))).toBe(true)
        })
      )
    })
  )
})
