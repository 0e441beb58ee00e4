import { Schema } from "effect"
import { fromBase58 } from "./base58.ts"
import { rule } from "./rule.ts"

/** A 20-byte EVM address, `0x` and 40 lower-case hex digits: one spelling per account, so it can be a key. */
export const EvmAddress = Schema.TemplateLiteral("0x", Schema.String).pipe(
  Schema.pattern(/^0x[0-9a-f]{40}$/, { message: () => rule("must be 0x and 40 hex digits") }),
  Schema.brand("EvmAddress")
)
export type EvmAddress = typeof EvmAddress.Type

const isSolanaText = (text: string): boolean => fromBase58(text) !== undefined

/** A 32-byte Solana address in base58. Base58 is case-sensitive and has one spelling per key. */
export const SolanaAddress = Schema.String.pipe(
  Schema.filter((text) => isSolanaText(text) || rule("must be base58 of 32 bytes")),
  Schema.brand("SolanaAddress")
)
export type SolanaAddress = typeof SolanaAddress.Type

const isLowerCaseAddress = Schema.is(EvmAddress)

/** The one spelling of an EVM address in any letter case; `undefined` when the text is none. */
export const normalizeEvmAddress = (text: string): EvmAddress | undefined => {
  const lower = text.startsWith("0x") ? text.toLowerCase() : ""
  return isLowerCaseAddress(lower) ? lower : undefined
}

/** Whether a text is the one spelling in base58 of 32 bytes: a wallet, a mint or a program. */
export const isSolanaAddress = (text: string): text is SolanaAddress => isSolanaText(text)
