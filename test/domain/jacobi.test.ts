import { describe, expect, it } from "@effect/vitest"
import * as fc from "fast-check"
import { jacobi } from "../../src/domain/jacobi.ts"

const power = (base: bigint, exponent: bigint, modulus: bigint): bigint => {
  if (exponent === 0n) return 1n % modulus
  const half = power((base * base) % modulus, exponent / 2n, modulus)
  return exponent % 2n === 0n ? half : (half * base) % modulus
}

/** Euler's criterion: a^((p−1)/2) is 1, 0 or −1 modulo an odd prime. */
const legendre = (value: bigint, prime: bigint): number => {
  const rest = power(value % prime, (prime - 1n) / 2n, prime)
  return rest === prime - 1n ? -1 : Number(rest)
}

const ED25519 = 2n ** 255n - 19n
const SECP256K1 = 2n ** 256n - 2n ** 32n - 977n
const prime = fc.constantFrom(
  3n,
  5n,
  7n,
  11n,
  13n,
  65_537n,
  2n ** 31n - 1n,
  2n ** 61n - 1n,
  ED25519,
  SECP256K1
)

describe("jacobi", () => {
  it("is Euler's criterion for a prime", () => {
    fc.assert(
      fc.property(prime, fc.bigInt({ min: 0n, max: 2n ** 256n }), (modulus, number) => {
        expect(jacobi(number % modulus, modulus)).toBe(legendre(number, modulus))
      }),
      { numRuns: 300 }
    )
  })
  it("is the product over the factors of any odd number", () => {
    const factors = fc.array(fc.constantFrom(3n, 5n, 7n, 11n, 65_537n, 2n ** 31n - 1n), {
      maxLength: 6,
      minLength: 1
    })
    fc.assert(
      fc.property(factors, fc.bigInt({ min: 0n, max: 2n ** 180n }), (primes, number) => {
        const modulus = primes.reduce((product, factor) => product * factor, 1n)
        const expected = primes.reduce((sign, factor) => sign * legendre(number, factor), 1)
        expect(jacobi(number % modulus, modulus) + 0).toBe(expected + 0)
      }),
      { numRuns: 300 }
    )
  })
  it("holds for numbers with limbs of zeros", () => {
    for (const shift of [29n, 30n, 31n, 59n, 60n, 90n, 180n, 254n])
      for (const low of [0n, 1n, 3n])
        expect(jacobi(2n ** shift + low, ED25519)).toBe(legendre(2n ** shift + low, ED25519))
  })
})
