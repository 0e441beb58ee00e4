import { describe, expect, it } from "@effect/vitest"
import fc from "fast-check"
import { recoverTransactionAddress } from "viem"
import { privateKeyToAccount } from "viem/accounts"
import { signingKey } from "../../../../src/payment/settler/evm/signing-key.ts"

const hex = (length: number) =>
  fc
    .uint8Array({ minLength: length, maxLength: length })
    .map((bytes): `0x${string}` => `0x${Buffer.from(bytes).toString("hex")}`)

/** Any 32 bytes but the few that are no key: zero, and what lies above the order. */
const secret = hex(32).filter((key) => !/^0x0+$/.test(key) && !key.startsWith("0xffffffff"))
const wei = fc.bigInt({ min: 0n, max: 2n ** 80n })

const transaction = fc.record({
  to: hex(20),
  data: fc
    .uint8Array({ maxLength: 900 })
    .map((bytes): `0x${string}` => `0x${Buffer.from(bytes).toString("hex")}`),
  gas: fc.bigInt({ min: 21_000n, max: 10_000_000n }),
  type: fc.constant("eip1559" as const),
  chainId: fc.constant(8453),
  nonce: fc.nat(),
  maxFeePerGas: wei,
  maxPriorityFeePerGas: fc.constant(0n)
})

describe("a settling key", () => {
  it("signs the same bytes as viem, which say that it signed", async () => {
    await fc.assert(
      fc.asyncProperty(secret, transaction, async (key, one) => {
        const account = privateKeyToAccount(key)
        const own = signingKey(key)
        const signed = await own.signTransaction(one)
        expect(own.address).toBe(account.address)
        expect(signed).toBe(await account.signTransaction(one))
        expect(await recoverTransactionAddress({ serializedTransaction: `0x02${signed.slice(4)}` })).toBe(
          account.address
        )
      }),
      { numRuns: 25 }
    )
  })

  it("is refused where viem refuses it: zero, and from the curve's order on", () => {
    const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n
    const keyOf = (value: bigint): `0x${string}` => `0x${value.toString(16).padStart(64, "0")}`
    for (const refused of [0n, order, order + 1n, 2n ** 256n - 1n]) {
      expect(() => privateKeyToAccount(keyOf(refused))).toThrow()
      expect(() => signingKey(keyOf(refused))).toThrow()
    }
    for (const taken of [1n, order - 1n]) {
      expect(signingKey(keyOf(taken)).address).toBe(privateKeyToAccount(keyOf(taken)).address)
    }
  })
})
