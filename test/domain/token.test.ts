import { describe, expect, it } from "@effect/vitest"
import { getAddressDecoder } from "@solana/kit"
import { Either, ParseResult, Schema } from "effect"
import * as fc from "fast-check"
import { isSolanaAddress, normalizeEvmAddress } from "../../src/domain/address.ts"
import {
  BASE_NETWORK,
  BASE_USDC,
  Chain,
  chainOf,
  Network,
  networkOf,
  SOLANA_NETWORK,
  SOLANA_USDC,
  usdcOf
} from "../../src/domain/chain.ts"
import { TokenRef, tokenKey } from "../../src/domain/token.ts"

const decode = Schema.decodeUnknownEither(TokenRef)
const WETH = "0x4200000000000000000000000000000000000006"

const hex40 = fc.string({
  unit: fc.constantFrom(..."0123456789abcdefABCDEF".split("")),
  minLength: 40,
  maxLength: 40
})
const solanaAddresses = fc
  .uint8Array({ minLength: 32, maxLength: 32 })
  .map((bytes): string => getAddressDecoder().decode(bytes))

describe("EVM addresses", () => {
  it("have one spelling, whatever the letter case", () => {
    fc.assert(
      fc.property(hex40, (digits) => {
        expect(normalizeEvmAddress(`0x${digits}`)).toBe(`0x${digits.toLowerCase()}`)
        expect(normalizeEvmAddress(`0x${digits.toUpperCase()}`)).toBe(`0x${digits.toLowerCase()}`)
      })
    )
  })

  it.each([
    "",
    "0x",
    WETH.slice(2),
    `0X${WETH.slice(2)}`,
    `${WETH}0`,
    WETH.slice(0, -1),
    ` ${WETH}`,
    `${WETH}\n`,
    "0xg".padEnd(42, "0")
  ])("are not %j", (text) => {
    expect(normalizeEvmAddress(text)).toBeUndefined()
  })
})

describe("Solana addresses", () => {
  it("are base58 of any 32 bytes", () => {
    fc.assert(
      fc.property(solanaAddresses, (address) => {
        expect(isSolanaAddress(address)).toBe(true)
      })
    )
  })

  it.each([
    "",
    "1".repeat(31),
    "1".repeat(33),
    `${SOLANA_USDC}1`,
    SOLANA_USDC.replace("E", "0"),
    ` ${SOLANA_USDC}`,
    SOLANA_USDC.slice(3),
    "z".repeat(44)
  ])("are not %j", (text) => {
    expect(isSolanaAddress(text)).toBe(false)
  })
})

describe("TokenRef", () => {
  it("equal tokens on Base have equal keys", () => {
    fc.assert(
      fc.property(hex40, (digits) => {
        const [a, b] = [digits, digits.toUpperCase()].map((text) =>
          Either.getOrThrow(decode({ chain: "base", address: `0x${text}` }))
        )
        expect(a && tokenKey(a)).toBe(b && tokenKey(b))
      })
    )
  })

  it("different tokens have different keys, also across chains", () => {
    fc.assert(
      fc.property(solanaAddresses, solanaAddresses, hex40, (one, other, digits) => {
        const keys = [
          { chain: "solana", address: one },
          { chain: "solana", address: other },
          { chain: "base", address: `0x${digits}` }
        ].map((input) => tokenKey(Either.getOrThrow(decode(input))))
        expect(new Set(keys).size).toBe(one === other ? 2 : 3)
      })
    )
  })

  it("encodes to what decodes to itself", () => {
    fc.assert(
      fc.property(solanaAddresses, (address) => {
        const token = Either.getOrThrow(decode({ chain: "solana", address }))
        const wire = Schema.encodeSync(TokenRef)(token)
        expect(wire).toEqual({ chain: "solana", address })
        expect(decode(wire)).toEqual(Either.right(token))
      })
    )
  })

  it.each([
    ["an address of the other chain", { chain: "base", address: SOLANA_USDC }],
    ["the reverse", { chain: "solana", address: WETH }],
    ["an unknown chain", { chain: "ethereum", address: WETH }],
    ["a chain in other letters", { chain: "Base", address: WETH }],
    ["no chain", { address: WETH }],
    ["no address", { chain: "base" }],
    ["an address that is no text", { chain: "base", address: [WETH] }],
    ["a list", [WETH]],
    ["nothing", null]
  ])("refuses %s", (_name, input) => {
    expect(Either.isLeft(decode(input))).toBe(true)
  })

  it.each([
    ["base", "0x0000000000000000000000000000000000000000", /^is no token: for ETH ask for WETH, 0x4200/],
    ["base", "0xEeeeeEeeeEeEeeEeEeEeeEEEeeeeEeeeeeeeEEeE", /^is no token: for ETH ask for WETH, 0x4200/],
    ["solana", "11111111111111111111111111111111", /^is no token: for SOL ask for wrapped SOL, So1+2$/],
    ["solana", "So11111111111111111111111111111111111111111", /^is no token: for SOL ask for wrapped/]
  ])("on %s knows what others write for the chain's own coin, %s, and names its token", (...given) => {
    const [chain, address, problem] = given
    const result = decode({ chain, address })
    const issues = Either.isLeft(result) ? ParseResult.ArrayFormatter.formatErrorSync(result.left) : []
    expect(issues[0]?.path).toEqual(["address"])
    expect(issues[0]?.message).toMatch(problem)
  })

  it("says what is wrong at the address, without repeating it", () => {
    const hostile = "<script>alert(1)</script>".padEnd(40, "x")
    const result = decode({ chain: "base", address: hostile })
    const issues = Either.isLeft(result) ? ParseResult.ArrayFormatter.formatErrorSync(result.left) : []
    expect(issues[0]?.path).toEqual(["address"])
    expect(issues[0]?.message).toBe("must be 0x and 40 hex digits on base")
  })
})

describe("chains and networks", () => {
  it("correspond one to one", () => {
    for (const chain of Chain.literals) expect(chainOf(networkOf(chain))).toBe(chain)
    for (const network of Network.literals) expect(networkOf(chainOf(network))).toBe(network)
  })

  it("have their own USDC", () => {
    expect(usdcOf(BASE_NETWORK)).toBe(BASE_USDC)
    expect(usdcOf(SOLANA_NETWORK)).toBe(SOLANA_USDC)
    expect(isSolanaAddress(SOLANA_USDC) && normalizeEvmAddress(BASE_USDC) !== undefined).toBe(true)
  })
})
