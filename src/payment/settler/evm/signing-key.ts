import { concat, getAddress, type Hex, toRlp } from "viem"
import { privateKeyToAccount } from "viem/accounts"
import { keccak } from "../../../chain/keccak.ts"
import { nativeSecp256k1 } from "../../secp256k1-binding.ts"

/** A transaction that calls something and carries no ether. Fees in wei per gas. */
export interface Transaction {
  readonly type: "eip1559"
  readonly chainId: number
  readonly nonce: number
  readonly to: Hex
  readonly data: Hex
  readonly gas: bigint
  readonly maxFeePerGas: bigint
  readonly maxPriorityFeePerGas: bigint
}

/** A key that pays for transactions: its address, and what signs them. viem's accounts are such keys too. */
export interface SigningKey {
  readonly address: Hex
  readonly signTransaction: (transaction: Transaction) => Promise<Hex>
}

/** What we use of libsecp256k1. */
interface Native {
  readonly sign: SignDigest
  /** The 65-byte uncompressed public key. */
  readonly publicKey: (secret: Uint8Array) => Uint8Array
}

interface Signed {
  readonly signature: Uint8Array
  readonly recid: number
}

/** Deterministic (RFC 6979), and of the two values of s the lower one: the same bytes as viem's. */
type SignDigest = (digest: Uint8Array, secret: Uint8Array) => Signed

const isSigned = (value: unknown): value is Signed =>
  typeof value === "object" &&
  value !== null &&
  "signature" in value &&
  value.signature instanceof Uint8Array &&
  "recid" in value &&
  (value.recid === 0 || value.recid === 1)

/** The native binding; `undefined` where the machine has none. */
const loadNative = (): Native | undefined => {
  const [sign, create] = [nativeSecp256k1("ecdsaSign"), nativeSecp256k1("publicKeyCreate")]
  if (sign === undefined || create === undefined) return undefined
  return {
    sign: (digest, secret) => {
      const signed = sign(digest, secret)
      if (!isSigned(signed)) throw new Error("the native binding signs in another form")
      return signed
    },
    publicKey: (secret) => {
      const key = create(secret, false)
      if (!(key instanceof Uint8Array)) throw new Error("the native binding gives another form of key")
      return key
    }
  }
}

const hexOf = (bytes: Uint8Array): Hex => `0x${Buffer.from(bytes).toString("hex")}`

const bytesOf = (digits: string): Uint8Array =>
  Buffer.from(digits.length % 2 === 0 ? digits : `0${digits}`, "hex")

/** A number as RLP has it: without leading zeros, and nothing for zero. */
const quantity = (value: bigint | number): Uint8Array =>
  bytesOf(BigInt(value) === 0n ? "" : value.toString(16))

const word = (bytes: Uint8Array): Uint8Array => bytes.subarray(bytes.findIndex((byte) => byte !== 0))

const NOTHING = new Uint8Array()
/** EIP-2718: what stands before a transaction of EIP-1559. */
const EIP1559 = Uint8Array.of(2)

/**
 * EIP-1559's bytes of a transaction; `signature` is empty where it is to be signed. The same as viem's
 * `serializeTransaction`, which joins them to a text byte by byte, twice for each transaction.
 */
const serialized = (one: Transaction, signature: ReadonlyArray<Uint8Array>): Uint8Array => {
  const fees = [quantity(one.maxPriorityFeePerGas), quantity(one.maxFeePerGas), quantity(one.gas)]
  const call = [bytesOf(one.to.slice(2)), NOTHING, bytesOf(one.data.slice(2)), []]
  const parts = [quantity(one.chainId), quantity(one.nonce), ...fees, ...call, ...signature]
  return concat([EIP1559, toRlp(parts, "bytes")])
}

const withNative =
  (sign: SignDigest, secret: Uint8Array): SigningKey["signTransaction"] =>
  async (transaction) => {
    const { recid, signature } = sign(keccak(serialized(transaction, [])), secret)
    const [r, s] = [word(signature.subarray(0, 32)), word(signature.subarray(32))]
    return hexOf(serialized(transaction, [quantity(recid), r, s]))
  }

const native = loadNative()

/** An account is the end of the hash of its public key, without the byte that says that the key is uncompressed. */
const addressOf = (publicKey: Uint8Array): Hex =>
  getAddress(hexOf(keccak(publicKey.subarray(1)).subarray(-20)))

/**
 * Signs by libsecp256k1 where its binding runs, about ten times faster than viem, which signs elsewhere. viem would also
 * take a tenth of a second of every start for its first public key. Throws where the 32 bytes are no key.
 */
export const signingKey = (secret: Hex): SigningKey => {
  if (native === undefined) return privateKeyToAccount(secret)
  const bytes = Buffer.from(secret.slice(2), "hex")
  return {
    address: addressOf(native.publicKey(bytes)),
    signTransaction: withNative(native.sign, bytes)
  }
}
