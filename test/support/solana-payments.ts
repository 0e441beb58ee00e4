/** Solana payments built by hand, for everything the official client would not build. */
import type { Address, Instruction, KeyPairSigner } from "@solana/kit"
import {
  AccountRole,
  address,
  appendTransactionMessageInstructions,
  blockhash,
  compressTransactionMessageUsingAddressLookupTables,
  createTransactionMessage,
  getBase64EncodedWireTransaction,
  partiallySignTransactionMessageWithSigners,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash
} from "@solana/kit"
import { randomBytes } from "node:crypto"
import {
  ATA_PROGRAM,
  SYSTEM_PROGRAM,
  TOKEN_PROGRAM,
  USDC_MINT
} from "../../scripts/sandbox/solana/addresses.ts"
import { associatedTokenAccount } from "../../scripts/sandbox/solana/place.ts"
import type { SolanaChain } from "../../scripts/sandbox/solana/solana-chain.ts"

const COMPUTE_BUDGET = address("ComputeBudget111111111111111111111111111111")
const MEMO = address("MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr")

const u32 = (value: number): Buffer => {
  const bytes = Buffer.alloc(4)
  bytes.writeUInt32LE(value)
  return bytes
}
const u64 = (value: bigint): Buffer => {
  const bytes = Buffer.alloc(8)
  bytes.writeBigUInt64LE(value)
  return bytes
}

const data = (...parts: ReadonlyArray<Uint8Array | ReadonlyArray<number>>): Uint8Array =>
  Uint8Array.from(parts.flatMap((part) => [...part]))

export const computeLimit = (units = 20_000): Instruction => ({
  programAddress: COMPUTE_BUDGET,
  data: data([2], u32(units))
})

export const computePrice = (microLamports = 1n): Instruction => ({
  programAddress: COMPUTE_BUDGET,
  data: data([3], u64(microLamports))
})

/** Who signs for an instruction: with the key, or only named so that the slot stays empty. */
export type Authority = KeyPairSigner | Address

const signerMeta = (authority: Authority, role: AccountRole.READONLY_SIGNER | AccountRole.WRITABLE_SIGNER) =>
  typeof authority === "string"
    ? { address: authority, role }
    : { address: authority.address, role, signer: authority }

/** A memo; of a `signer` when it is to stand for somebody. */
export const memo = (text = randomBytes(16).toString("hex"), signer?: Authority): Instruction => ({
  programAddress: MEMO,
  accounts: signer === undefined ? [] : [signerMeta(signer, AccountRole.READONLY_SIGNER)],
  data: data(Buffer.from(text))
})

export interface Transfer {
  readonly source: Address
  readonly destination: Address
  readonly authority: Authority
  readonly amount: bigint
  readonly mint?: Address
  readonly decimals?: number
  readonly program?: Address
}

const TRANSFER_CHECKED = 12
const TRANSFER = 3
const APPROVE = 4
const CLOSE_ACCOUNT = 9

export const transferChecked = (transfer: Transfer): Instruction => ({
  programAddress: transfer.program ?? TOKEN_PROGRAM,
  accounts: [
    { address: transfer.source, role: AccountRole.WRITABLE },
    { address: transfer.mint ?? USDC_MINT, role: AccountRole.READONLY },
    { address: transfer.destination, role: AccountRole.WRITABLE },
    signerMeta(transfer.authority, AccountRole.READONLY_SIGNER)
  ],
  data: data([TRANSFER_CHECKED], u64(transfer.amount), [transfer.decimals ?? 6])
})

const simple =
  (tag: number) =>
  ({ amount, authority, destination, source }: Transfer): Instruction => ({
    programAddress: TOKEN_PROGRAM,
    accounts: [
      { address: source, role: AccountRole.WRITABLE },
      { address: destination, role: AccountRole.WRITABLE },
      signerMeta(authority, AccountRole.READONLY_SIGNER)
    ],
    data: data([tag], ...(tag === CLOSE_ACCOUNT ? [] : [u64(amount)]))
  })

/** Transfer without mint and decimals. */
export const transferUnchecked = simple(TRANSFER)
/** Lets `destination` spend from `source`. */
export const approve = simple(APPROVE)
/** Closes `source`; its lamports go to `destination`. */
export const closeAccount = simple(CLOSE_ACCOUNT)

/** Lamports from `from` to `to`. */
export const systemTransfer = (from: Authority, to: Address, lamports: bigint): Instruction => ({
  programAddress: SYSTEM_PROGRAM,
  accounts: [signerMeta(from, AccountRole.WRITABLE_SIGNER), { address: to, role: AccountRole.WRITABLE }],
  data: data(u32(2), u64(lamports))
})

const RECENT_BLOCKHASHES = address("SysvarRecentB1ockHashes11111111111111111111")

/** What makes a transaction good for as long as nobody advances the nonce. It must be the first instruction. */
export const advanceNonce = (nonce: Address, authority: Authority): Instruction => ({
  programAddress: SYSTEM_PROGRAM,
  accounts: [
    { address: nonce, role: AccountRole.WRITABLE },
    { address: RECENT_BLOCKHASHES, role: AccountRole.READONLY },
    signerMeta(authority, AccountRole.READONLY_SIGNER)
  ],
  data: data(u32(4))
})

/** A new USDC account for `owner`, its rent paid by `payer`. */
export const createAccount = async (payer: Authority, owner: Address): Promise<Instruction> => ({
  programAddress: ATA_PROGRAM,
  accounts: [
    signerMeta(payer, AccountRole.WRITABLE_SIGNER),
    { address: associatedTokenAccount(USDC_MINT, owner), role: AccountRole.WRITABLE },
    { address: owner, role: AccountRole.READONLY },
    { address: USDC_MINT, role: AccountRole.READONLY },
    { address: SYSTEM_PROGRAM, role: AccountRole.READONLY },
    { address: TOKEN_PROGRAM, role: AccountRole.READONLY }
  ],
  data: Uint8Array.of(1)
})

export interface Build {
  readonly chain: SolanaChain
  readonly feePayer?: Address | KeyPairSigner
  readonly instructions: ReadonlyArray<Instruction>
  readonly blockhash?: string
  /** Addresses loaded from a lookup table instead of named in the transaction. */
  readonly lookup?: ReadonlyArray<Address>
  readonly version?: 0 | "legacy"
}

const LOOKUP_TABLE = address("Dummy1111111111111111111111111111111111111L")

/** The wire transaction in base64, signed with every key the instructions hold. */
export const buildTransaction = async (build: Build): Promise<string> => {
  const { blockhash: latest, lastValidBlockHeight } = build.chain.ledger.clock.latestBlockhash()
  const feePayer = build.feePayer ?? build.chain.accounts.feePayer.address
  const lifetime = { blockhash: blockhash(build.blockhash ?? latest), lastValidBlockHeight }
  const message = pipe(
    createTransactionMessage({ version: 0 }),
    (draft) =>
      setTransactionMessageFeePayer(typeof feePayer === "string" ? feePayer : feePayer.address, draft),
    (draft) => setTransactionMessageLifetimeUsingBlockhash(lifetime, draft),
    (draft) => appendTransactionMessageInstructions(build.instructions, draft)
  )
  const compressed =
    build.lookup === undefined
      ? message
      : compressTransactionMessageUsingAddressLookupTables(message, { [LOOKUP_TABLE]: [...build.lookup] })
  return getBase64EncodedWireTransaction(await partiallySignTransactionMessageWithSigners(compressed))
}

/** Everything of a payment as the official client makes it, to be changed piece by piece. */
export interface Pieces {
  readonly payer: KeyPairSigner
  readonly transfer: Transfer
  readonly feePayer: Address
}

export const piecesOf = async (
  chain: SolanaChain,
  payer: KeyPairSigner,
  amount: bigint
): Promise<Pieces> => ({
  payer,
  feePayer: chain.accounts.feePayer.address,
  transfer: {
    source: associatedTokenAccount(USDC_MINT, payer.address),
    destination: associatedTokenAccount(USDC_MINT, chain.accounts.merchant.address),
    authority: payer,
    amount
  }
})

/** The wire bytes with one signature slot replaced. */
export const withSignature = (wire: string, slot: number, signature: Uint8Array): string => {
  const bytes = Buffer.from(wire, "base64")
  bytes.set(signature, 1 + slot * 64)
  return bytes.toString("base64")
}
