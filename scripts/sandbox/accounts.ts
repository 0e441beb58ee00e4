/**
 * The sandbox's keys, each derived from a public label: worthless anywhere but here, the same on every run.
 * Never fund one of them on a real chain.
 */
import { createHash } from "node:crypto"
import { createKeyPairSignerFromPrivateKeyBytes, getBase58Decoder, getBase58Encoder } from "@solana/kit"
import type { Address as SolanaKey, KeyPairSigner } from "@solana/kit"
import type { Hex } from "viem"
import { privateKeyToAccount } from "viem/accounts"
import type { PrivateKeyAccount } from "viem/accounts"
import { addressAt } from "./solana/keys.ts"

const seed = (label: string): Buffer => createHash("sha256").update(`token-risk sandbox ${label}`).digest()

/** The EVM account of a label. Any label works, so tests can have as many accounts as they like. */
export const evmKey = (label: string): Hex => `0x${seed(`base ${label}`).toString("hex")}`
export const evmAccount = (label: string): PrivateKeyAccount => privateKeyToAccount(evmKey(label))

/** The Solana signer of a label. */
export const solanaSigner = (label: string): Promise<KeyPairSigner> =>
  createKeyPairSignerFromPrivateKeyBytes(seed(`solana ${label}`))

/** A Solana address without a known key, for mints, pools and token accounts. */
export const solanaAddress = (label: string): SolanaKey => addressAt(seed(`solana address ${label}`))

/** base58 of the 64 bytes (seed and public key) wallets export and `SOLANA_FEE_PAYER_PRIVATE_KEY` takes. */
export const solanaSecretKey = async (label: string): Promise<string> => {
  const { address } = await solanaSigner(label)
  const bytes = Buffer.concat([seed(`solana ${label}`), Buffer.from(getBase58Encoder().encode(address))])
  return getBase58Decoder().decode(bytes)
}
