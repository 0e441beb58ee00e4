import { getBase58Encoder } from "@solana/kit"
import { Effect } from "effect"
import { verify } from "node:crypto"
import { getAddress } from "viem"
import type { BaseRpc } from "../../chain/chain-rpc.ts"
import { isSignedOnBase } from "../../chain/wallet-signature.ts"
import { BASE_CHAIN_ID, BASE_NETWORK, SOLANA_NETWORK } from "../../domain/chain.ts"
import { publicKeyOf } from "../../domain/ed25519-key.ts"
import { isOfSmallOrder } from "../../domain/ed25519-point.ts"
import type { MerchantAccountRef } from "../../domain/merchant.ts"
import type { UpstreamError } from "../../domain/errors.ts"

/** Life of a challenge in milliseconds: time to find the wallet, and no more. */
export const CHALLENGE_LIFE = 600_000

/** What a challenge is made of. `nonce` is ours alone to make. */
export interface Challenge {
  readonly account: MerchantAccountRef
  readonly publicUrl: string
  /** Unix milliseconds. */
  readonly issuedAt: number
  readonly nonce: string
}

/**
 * The message a wallet signs. Source: EIP-4361; Solana wallets show the same shape with their own account. It says what
 * the signature is for and moves nothing.
 */
export const messageOf = ({ account, issuedAt, nonce, publicUrl }: Challenge): string => {
  const { network, merchantPayTo } = account
  const isBase = network === BASE_NETWORK
  return [
    `${new URL(publicUrl).host} wants you to sign in with your ${isBase ? "Ethereum" : "Solana"} account:`,
    isBase ? getAddress(merchantPayTo.toLowerCase()) : merchantPayTo,
    "",
    "Get a merchant token for the checkouts that pay this account. This moves no money.",
    "",
    `URI: ${publicUrl}`,
    "Version: 1",
    `Chain ID: ${isBase ? String(BASE_CHAIN_ID) : "mainnet"}`,
    `Nonce: ${nonce}`,
    `Issued At: ${new Date(issuedAt).toISOString()}`,
    `Expiration Time: ${new Date(issuedAt + CHALLENGE_LIFE).toISOString()}`
  ].join("\n")
}

/** The account, time and nonce a signed message speaks of; `undefined` where it is not one of ours in shape. */
export const readMessage = (message: string): Omit<Challenge, "publicUrl"> | undefined => {
  const lines = message.split("\n")
  const field = (name: string) => lines.find((line) => line.startsWith(`${name}: `))?.slice(name.length + 2)
  const merchantPayTo = lines[1]
  const nonce = field("Nonce")
  const issuedAt = Date.parse(field("Issued At") ?? "")
  if (merchantPayTo === undefined || nonce === undefined || Number.isNaN(issuedAt)) return undefined
  const network = merchantPayTo.startsWith("0x") ? BASE_NETWORK : SOLANA_NETWORK
  return { account: { network, merchantPayTo }, issuedAt, nonce }
}

const base58 = (text: string): Uint8Array | undefined => {
  try {
    return new Uint8Array(getBase58Encoder().encode(text))
  } catch {
    return undefined
  }
}

/** An Ed25519 signature of the message's bytes by the wallet's own key, as the chain verifies: some keys sign everything. */
export const signedOnSolana = (address: string, message: string, signature: string): boolean => {
  const [key, bytes] = [base58(address), base58(signature)]
  if (
    key?.length !== 32 ||
    bytes?.length !== 64 ||
    isOfSmallOrder(key) ||
    isOfSmallOrder(bytes.subarray(0, 32))
  )
    return false
  return verify(null, Buffer.from(message, "utf8"), publicKeyOf(key), bytes)
}

/** Whether the account's wallet signed the message. */
export const isSigned = (
  base: Pick<BaseRpc, "call">,
  { network, merchantPayTo }: MerchantAccountRef,
  message: string,
  signature: string
): Effect.Effect<boolean, UpstreamError> =>
  network === BASE_NETWORK
    ? isSignedOnBase(base, merchantPayTo, message, signature)
    : Effect.sync(() => signedOnSolana(merchantPayTo, message, signature))
