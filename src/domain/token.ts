import type { SchemaAST as AST } from "effect"
import { ParseResult, Schema } from "effect"
import type { EvmAddress, SolanaAddress } from "./address.ts"
import { isSolanaAddress, normalizeEvmAddress } from "./address.ts"
import { Chain } from "./chain.ts"
import { rule } from "./rule.ts"

const ADDRESS_RULE = rule(
  "must be a token contract on base (0x and 40 hex digits) or a mint on solana (base58 of 32 bytes)"
)

const MEMBERS = {
  chain: Schema.propertySignature(Chain.annotations({ examples: ["base"] })).annotations({
    missingMessage: () => rule('is missing, must be "solana" or "base"')
  }),
  address: Schema.String.pipe(
    Schema.minLength(32, { message: () => ADDRESS_RULE }),
    Schema.maxLength(44, { message: () => ADDRESS_RULE })
  ).annotations({
    description: "Token mint (solana, base58) or token contract (base, 0x and 40 hex digits).",
    examples: ["0x4200000000000000000000000000000000000006"],
    message: () => ({ message: ADDRESS_RULE, override: true })
  })
}

/** As parameters of a query: without a name, a description lists the members and not one object. */
const TokenQueryWire = Schema.Struct(MEMBERS)

const TokenRefWire = TokenQueryWire.annotations({
  identifier: "TokenReference",
  description: "One token, named by chain and address.",
  examples: [{ chain: "base", address: "0x4200000000000000000000000000000000000006" }]
})

/** One token in its canonical spelling: equal tokens are equal strings. */
export type TokenRef =
  | { readonly chain: "base"; readonly address: EvmAddress }
  | { readonly chain: "solana"; readonly address: SolanaAddress }

const isTokenRef = (input: unknown): input is TokenRef =>
  typeof input === "object" && input !== null && "chain" in input && "address" in input

const ETH = rule("is no token: for ETH ask for WETH, 0x4200000000000000000000000000000000000006")
const SOL = rule("is no token: for SOL ask for wrapped SOL, So11111111111111111111111111111111111111112")

/** What wallets and exchanges write for a chain's own coin: nobody is to sign a payment for what cannot be screened. */
const COINS: ReadonlyMap<string, string> = new Map([
  ["0x0000000000000000000000000000000000000000", ETH],
  ["0xeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeeee", ETH],
  ["11111111111111111111111111111111", SOL],
  ["So11111111111111111111111111111111111111111", SOL]
])

/** Whether an address, in any spelling of it, is what is written for a chain's own coin: no token is named by it. */
export const isCoin = (address: string): boolean => COINS.has(address) || COINS.has(address.toLowerCase())

const readTokenRef = (wire: typeof TokenQueryWire.Type): TokenRef | string => {
  if (wire.chain === "base") {
    const address = normalizeEvmAddress(wire.address)
    return address === undefined ? rule("must be 0x and 40 hex digits on base") : { chain: "base", address }
  }
  return isSolanaAddress(wire.address)
    ? { chain: "solana", address: wire.address }
    : rule("must be base58 of 32 bytes on solana")
}

const parseTokenRef = (wire: typeof TokenQueryWire.Type): TokenRef | string => {
  const token = readTokenRef(wire)
  return typeof token === "string" ? token : (COINS.get(token.address) ?? token)
}

const read = (wire: typeof TokenQueryWire.Type, ast: AST.AST) => {
  const parsed = parseTokenRef(wire)
  if (typeof parsed !== "string") return ParseResult.succeed(parsed)
  return ParseResult.fail(
    new ParseResult.Pointer(["address"], wire, new ParseResult.Type(ast, wire.address, parsed))
  )
}

const write = (token: TokenRef) => ParseResult.succeed({ chain: token.chain, address: token.address })

/**
 * The request input of both operations. Decoding checks the address against the chain's format and
 * brings it to its canonical spelling; encoding is the identity.
 */
export const TokenRef = Schema.transformOrFail(TokenRefWire, Schema.declare(isTokenRef), {
  strict: true,
  decode: (wire, _options, ast) => read(wire, ast),
  encode: write
})

/** The same from the query of a `GET`. */
export const TokenQuery = Schema.transformOrFail(TokenQueryWire, Schema.declare(isTokenRef), {
  strict: true,
  decode: (wire, _options, ast) => read(wire, ast),
  encode: write
})

/** A key that is equal exactly for equal tokens. */
export const tokenKey = (token: TokenRef): string => `${token.chain}:${token.address}`
