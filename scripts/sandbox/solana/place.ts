/**
 * Puts accounts into the local Solana: mints of both token programs with any extension, token accounts,
 * metadata, and accounts of any program with raw bytes. Tests place whatever they need with these.
 */
import type { Address, ReadonlyUint8Array } from "@solana/kit"
import { lamports } from "@solana/kit"
import { AccountState, extension, getMintEncoder, getTokenEncoder } from "@solana-program/token-2022"
import type { ExtensionArgs } from "@solana-program/token-2022"
import type { LiteSVM } from "litesvm"
import { findProgramAddress } from "../../../src/chain/program-address.ts"
import { SolanaAddress } from "../../../src/domain/address.ts"
import { solanaAddress } from "../accounts.ts"
import * as at from "./addresses.ts"
import { addressBytes, asAddress } from "./keys.ts"
import { forgetAccounts } from "./token-balance.ts"

export interface MintPlan {
  /** An address derived from this label; `address` wins. */
  readonly label?: string
  readonly address?: Address
  /** `token` (default) or `token-2022`; a plan with extensions is always Token-2022. */
  readonly program?: "token" | "token-2022"
  /** Default 6. */
  readonly decimals?: number
  /** Smallest units; default one billion whole tokens at 6 decimals. */
  readonly supply?: bigint
  readonly mintAuthority?: Address | null
  readonly freezeAuthority?: Address | null
  readonly extensions?: ReadonlyArray<ExtensionArgs>
}

export interface TokenAccountPlan {
  readonly mint: Address
  readonly owner: Address
  /** Smallest units. */
  readonly amount: bigint
  /** The owner's associated token account when absent. */
  readonly address?: Address
  readonly frozen?: boolean
}

export interface Place {
  /** Any account with any bytes; rent-exempt unless `lamports` says otherwise. */
  readonly account: (
    address: Address,
    account: { readonly owner: Address; readonly data: ReadonlyUint8Array; readonly lamports?: bigint }
  ) => void
  readonly mint: (plan: MintPlan) => Address
  /** The mint must have been placed before, because its program and extensions shape the account. */
  readonly tokenAccount: (plan: TokenAccountPlan) => Promise<Address>
  /** Metaplex metadata of a mint. */
  readonly metadata: (plan: {
    readonly mint: Address
    readonly name: string
    readonly symbol: string
    readonly updateAuthority: Address
    readonly mutable: boolean
  }) => Promise<Address>
}

/** The program address of the seeds, texts as their UTF-8 bytes; as the service derives it, which is ten times as fast as kit. */
export const derivedAddress = (
  program: Address,
  seeds: ReadonlyArray<string | ReadonlyUint8Array>
): Address =>
  asAddress(
    findProgramAddress(
      SolanaAddress.make(program),
      seeds.map((seed) => (typeof seed === "string" ? Buffer.from(seed) : Uint8Array.from(seed)))
    )
  )

/** The associated token account of `owner` for `mint` under `program`. */
export const associatedTokenAccount = (
  mint: Address,
  owner: Address,
  program: Address = at.TOKEN_PROGRAM
): Address => derivedAddress(at.ATA_PROGRAM, [owner, program, mint].map(addressBytes))

// What each mint extension obliges every token account of the mint to carry.
const ACCOUNT_EXTENSIONS: Readonly<Record<number, () => ReadonlyArray<ExtensionArgs>>> = {
  1: () => [extension("TransferFeeAmount", { withheldAmount: 0n })],
  9: () => [{ __kind: "NonTransferableAccount" }, { __kind: "ImmutableOwner" }],
  14: () => [extension("TransferHookAccount", { transferring: false })],
  26: () => [{ __kind: "PausableAccount" }]
}

const mintEncoder = getMintEncoder()
const tokenEncoder = getTokenEncoder()

const MINT_EXTENSIONS_OFFSET = 166

const extensionTypes = (mintData: Uint8Array): ReadonlyArray<number> => {
  const types: Array<number> = []
  const view = new DataView(mintData.buffer, mintData.byteOffset, mintData.byteLength)
  for (let at = MINT_EXTENSIONS_OFFSET; at + 4 <= mintData.length; at += 4 + view.getUint16(at + 2, true)) {
    types.push(view.getUint16(at, true))
  }
  return types
}

const paddedText = (text: string, length: number): Buffer => {
  const bytes = Buffer.alloc(4 + length)
  bytes.writeUInt32LE(length)
  bytes.write(text, 4)
  return bytes
}

export const makePlace = (svm: LiteSVM): Place => {
  const account: Place["account"] = (address, { data, owner, ...rest }) => {
    svm.setAccount({
      address,
      data,
      executable: false,
      lamports: lamports(rest.lamports ?? svm.minimumBalanceForRentExemption(BigInt(data.length))),
      programAddress: owner,
      space: BigInt(data.length)
    })
    forgetAccounts(svm)
  }

  const mint: Place["mint"] = (plan) => {
    const address = plan.address ?? solanaAddress(`mint ${plan.label ?? crypto.randomUUID()}`)
    const extensions = plan.extensions ?? []
    const isToken2022 = plan.program === "token-2022" || extensions.length > 0
    const data = mintEncoder.encode({
      mintAuthority: plan.mintAuthority ?? null,
      supply: plan.supply ?? 1_000_000_000_000_000n,
      decimals: plan.decimals ?? 6,
      isInitialized: true,
      freezeAuthority: plan.freezeAuthority ?? null,
      extensions: extensions.length > 0 ? [...extensions] : null
    })
    account(address, { owner: isToken2022 ? at.TOKEN_2022_PROGRAM : at.TOKEN_PROGRAM, data })
    return address
  }

  const tokenAccount: Place["tokenAccount"] = async (plan) => {
    const mintAccount = svm.getAccount(plan.mint)
    if (!mintAccount.exists) throw new Error(`place the mint ${plan.mint} before its token accounts`)
    const isNative = plan.mint === at.WSOL_MINT
    const extensions = extensionTypes(Uint8Array.from(mintAccount.data)).flatMap(
      (type) => ACCOUNT_EXTENSIONS[type]?.() ?? []
    )
    const data = tokenEncoder.encode({
      mint: plan.mint,
      owner: plan.owner,
      amount: plan.amount,
      delegate: null,
      state: plan.frozen === true ? AccountState.Frozen : AccountState.Initialized,
      isNative: isNative ? svm.minimumBalanceForRentExemption(165n) : null,
      delegatedAmount: 0n,
      closeAuthority: null,
      extensions: extensions.length > 0 ? extensions : null
    })
    const program = mintAccount.programAddress
    const address = plan.address ?? associatedTokenAccount(plan.mint, plan.owner, program)
    const rent = svm.minimumBalanceForRentExemption(BigInt(data.length))
    account(address, { owner: program, data, lamports: isNative ? rent + plan.amount : rent })
    return address
  }

  const metadata: Place["metadata"] = async (plan) => {
    const address = derivedAddress(at.METADATA_PROGRAM, [
      "metadata",
      addressBytes(at.METADATA_PROGRAM),
      addressBytes(plan.mint)
    ])
    const data = Buffer.concat([
      Buffer.from([4]),
      Buffer.from(addressBytes(plan.updateAuthority)),
      Buffer.from(addressBytes(plan.mint)),
      paddedText(plan.name, 32),
      paddedText(plan.symbol, 10),
      paddedText("", 200),
      // No seller fee, no creators, primary sale happened, mutability.
      Buffer.from([0, 0, 0, 1, plan.mutable ? 1 : 0])
    ])
    account(address, { owner: at.METADATA_PROGRAM, data })
    return address
  }

  return { account, mint, tokenAccount, metadata }
}
