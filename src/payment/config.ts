import { getBase58Encoder, isAddress as isSolanaAddress } from "@solana/kit"
import { Config, ConfigError, type Duration, Either, Option, Redacted } from "effect"
import { createPublicKey } from "node:crypto"
import { type Address, getAddress, type Hex, isAddress } from "viem"
import { BASE_USDC, SOLANA_USDC } from "../domain/chain.ts"
import { privateKeyOf } from "../domain/ed25519-key.ts"
import { duration, headerSecret, invalid } from "../domain/settings.ts"
import { SOLANA_PROGRAMS } from "../domain/solana-programs.ts"
import { signingKey } from "./settler/evm/signing-key.ts"
import { settlerConfig } from "./settler/settings.ts"

const missing = (name: string, message: string) => Either.left(ConfigError.MissingData([name], message))

const ZERO_EVM = "0x0000000000000000000000000000000000000000"

/**
 * Why an address cannot receive payments on Base; `undefined` when it can. Mixed case must be a valid EIP-55 checksum.
 */
const baseRecipientReason = (text: string): string | undefined => {
  if (!/^0x[0-9a-fA-F]{40}$/.test(text)) return "must be 0x and 40 hex digits"
  const oneCase = text === text.toLowerCase() || text.slice(2) === text.slice(2).toUpperCase()
  if (!oneCase && !isAddress(text, { strict: true }))
    return "has a wrong EIP-55 checksum: a digit or a letter case is not that of the wallet; copy it again"
  if (text.toLowerCase() === ZERO_EVM) return "must not be the zero address"
  if (text.toLowerCase() === BASE_USDC.toLowerCase()) return "must not be the USDC contract"
  return undefined
}

const PROGRAMS: ReadonlySet<string> = new Set(Object.values(SOLANA_PROGRAMS))

/** Why an address cannot receive payments on Solana; `undefined` when it can. */
const solanaRecipientReason = (text: string): string | undefined => {
  if (!isSolanaAddress(text)) return "must be base58 of 32 bytes"
  if (text === SOLANA_PROGRAMS.system) return "must not be the zero address"
  if (text === SOLANA_USDC) return "must not be the USDC mint"
  if (PROGRAMS.has(text)) return "must be a wallet, not a program"
  return undefined
}

const basePayTo: Config.Config<Address> = Config.nonEmptyString("BASE_PAY_TO").pipe(
  Config.mapOrFail((text) => {
    const reason = baseRecipientReason(text)
    return reason === undefined
      ? Either.right(getAddress(text.toLowerCase()))
      : invalid("BASE_PAY_TO", reason)
  })
)

const solanaPayTo: Config.Config<string> = Config.nonEmptyString("SOLANA_PAY_TO").pipe(
  Config.mapOrFail((text) => {
    const reason = solanaRecipientReason(text)
    return reason === undefined ? Either.right(text) : invalid("SOLANA_PAY_TO", reason)
  })
)

/** Receiving addresses: `base` in EIP-55 spelling, `solana` the wallet that owns the USDC account. */
export const payToConfig = Config.all({ base: basePayTo, solana: solanaPayTo })

/** A secret that may be unset; an empty variable counts as unset. */
const optionalSecret = (name: string) =>
  Config.option(Config.nonEmptyString(name)).pipe(Config.map(Option.map((text) => Redacted.make(text))))

const isPrivateKey = (text: string): text is Hex => {
  if (!/^0x[0-9a-fA-F]{64}$/.test(text)) return false
  try {
    signingKey(`0x${text.slice(2)}`)
    return true
  } catch {
    return false
  }
}

/** Keys that settle on Base, in the order given. */
type BaseKeys = readonly [Hex, ...ReadonlyArray<Hex>]

const baseKeys: Config.Config<Option.Option<Redacted.Redacted<BaseKeys>>> = optionalSecret(
  "BASE_SETTLER_PRIVATE_KEY"
).pipe(
  Config.mapOrFail((secret) => {
    if (Option.isNone(secret)) return Either.right(Option.none())
    const parts = Redacted.value(secret.value)
      .split(",")
      .map((part) => part.trim())
    const [first, ...others] = parts.filter(isPrivateKey)
    const different = new Set(parts.map((part) => part.toLowerCase()))
    return first !== undefined && others.length === parts.length - 1 && different.size === parts.length
      ? Either.right(Option.some(Redacted.make<BaseKeys>([first, ...others])))
      : invalid(
          "BASE_SETTLER_PRIVATE_KEY",
          "must be 0x and 64 hex digits of a secp256k1 private key, or several different ones, comma-separated"
        )
  })
)

const bytesOf = (text: string): Uint8Array | undefined => {
  try {
    if (!text.startsWith("[")) return new Uint8Array(getBase58Encoder().encode(text))
    const list: unknown = JSON.parse(text)
    const isByte = (value: unknown): value is number =>
      typeof value === "number" && Number.isInteger(value) && value >= 0 && value <= 255
    return Array.isArray(list) && list.every(isByte) ? Uint8Array.from(list) : undefined
  } catch {
    return undefined
  }
}

const holdsItsPublicKey = (bytes: Uint8Array): boolean => {
  const spki = createPublicKey(privateKeyOf(bytes.subarray(0, 32))).export({ format: "der", type: "spki" })
  return spki.subarray(-32).equals(bytes.subarray(32))
}

const solanaKey: Config.Config<Option.Option<Redacted.Redacted<Uint8Array>>> = optionalSecret(
  "SOLANA_FEE_PAYER_PRIVATE_KEY"
).pipe(
  Config.mapOrFail((secret) => {
    if (Option.isNone(secret)) return Either.right(Option.none())
    const bytes = bytesOf(Redacted.value(secret.value).trim())
    return bytes !== undefined && bytes.length === 64 && holdsItsPublicKey(bytes)
      ? Either.right(Option.some(Redacted.make(bytes)))
      : invalid(
          "SOLANA_FEE_PAYER_PRIVATE_KEY",
          "must be base58 of 64 bytes or a JSON byte array: the 32-byte seed and its public key"
        )
  })
)

/** Its methods' names are put behind it, and no client presents what stands in a URL. */
const isBaseUrl = (text: string): boolean => {
  if (!URL.canParse(text) || /[?#]/.test(text)) return false
  const { password, protocol, username } = new URL(text)
  return /^https?:$/.test(protocol) && password === "" && username === ""
}

const facilitatorUrl = Config.option(Config.nonEmptyString("FACILITATOR_URL")).pipe(
  Config.mapOrFail((url) =>
    Option.isNone(url) || isBaseUrl(url.value)
      ? Either.right(Option.map(url, (text) => text.trim().replace(/\/+$/, "")))
      : invalid(
          "FACILITATOR_URL",
          "must be an http or https URL without query and credentials (FACILITATOR_AUTH_HEADER presents them)"
        )
  )
)

/** Who settles on one network. */
export type SettlementChoice<Key> =
  | { readonly kind: "self-hosted"; readonly key: Redacted.Redacted<Key> }
  | { readonly kind: "remote"; readonly url: string }

const choice = <Key>(name: string, key: Config.Config<Option.Option<Redacted.Redacted<Key>>>) =>
  Config.all({ key, url: facilitatorUrl }).pipe(
    Config.mapOrFail(({ key, url }): Either.Either<SettlementChoice<Key>, ConfigError.ConfigError> => {
      if (Option.isSome(key) && Option.isSome(url)) {
        return invalid(name, "is set together with FACILITATOR_URL: set exactly one of the two")
      }
      if (Option.isSome(key)) return Either.right({ kind: "self-hosted", key: key.value })
      if (Option.isSome(url)) return Either.right({ kind: "remote", url: url.value })
      return missing(name, "must be set, or else FACILITATOR_URL: who settles payments on this network?")
    })
  )

/** Who settles, per network: our own key or the facilitator, exactly one of them. */
export const settlementConfig = Config.all({
  base: choice("BASE_SETTLER_PRIVATE_KEY", baseKeys),
  solana: choice("SOLANA_FEE_PAYER_PRIVATE_KEY", solanaKey),
  /** Value of the `Authorization` header sent to the facilitator. */
  facilitatorAuth: Config.option(headerSecret("FACILITATOR_AUTH_HEADER"))
})

/**
 * `PAYMENT_RETENTION`: how long a sold answer can be fetched again with its payment. Later its answer and payload are
 * dropped; the payment's key and its evidence stay.
 */
export const retentionConfig: Config.Config<Duration.Duration> = duration("PAYMENT_RETENTION", {
  least: "1 hour",
  most: "36500 days",
  fallback: "90 days"
})

/** With its zone. `Date` takes "24 Nov" for a day of 2001, before which nothing landed that could be refused. */
const INSTANT = /^\d{4}-\d\d-\d\dT\d\d:\d\d(?::\d\d(?:\.\d+)?)?(?:Z|[+-]\d\d:\d\d)$/

/**
 * `LEDGER_WATERMARK`: an instant, ISO 8601. Set it to the moment a backup of the database was restored: the ledger does
 * not know what was sold between the backup and that moment, so a transfer that landed before it buys nothing any more.
 */
export const watermarkConfig: Config.Config<Option.Option<Date>> = Config.option(
  Config.nonEmptyString("LEDGER_WATERMARK").pipe(
    Config.mapOrFail((text) => {
      const instant = new Date(text)
      return INSTANT.test(text) && !Number.isNaN(instant.getTime())
        ? Either.right(instant)
        : invalid("LEDGER_WATERMARK", "must be an instant, such as 2026-11-24T12:00:00Z")
    })
  )
)

/**
 * `PAYMENT_LEASE`: how long a payment belongs to a process that shows no sign of life; then another one, or the next
 * start, goes on with it. A settling key changes hands after half of it. All processes of a database are given the same
 * one: what ends later was written by a clock that ran ahead. A process that was only suspended does no harm when it
 * wakes: what it would write or sign next is refused.
 */
export const leaseConfig: Config.Config<Duration.Duration> = duration("PAYMENT_LEASE", {
  least: "1 second",
  most: "1 hour",
  fallback: "20 seconds"
})

/** Everything the payment capability reads from the environment. */
export const paymentConfig = Config.all({
  payTo: payToConfig,
  settlement: settlementConfig,
  retention: retentionConfig,
  watermark: watermarkConfig,
  lease: leaseConfig,
  settler: settlerConfig
})
