import type { SolanaAddress } from "../../../domain/address.ts"
import type { SolanaAccount } from "../../../chain/chain-rpc.ts"
import { SYSTEM_PROGRAM, TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from "../addresses.ts"
import type { Bytes } from "../reads/bytes.ts"
import { bytesOf } from "../reads/bytes.ts"
import type { ExtensionWalk } from "./extensions.ts"
import { walkExtensions } from "./extensions.ts"
import { decodeTokenAccount, MULTISIG_LENGTH } from "../reads/token-account.ts"

const MINT_LENGTH = 82
const PADDED_LENGTH = 165
const KIND_OFFSET = 165
const KIND_MINT = 1

export interface Mint {
  readonly program: "token" | "token-2022"
  readonly mintAuthority: SolanaAddress | null
  readonly freezeAuthority: SolanaAddress | null
  /** Smallest units. */
  readonly supply: bigint
  readonly decimals: number
  /** A plain mint has a complete walk without extensions. */
  readonly walk: ExtensionWalk
}

/** What stands at an address that was asked for as a mint. */
export type MintReading =
  | { readonly kind: "mint"; readonly mint: Mint }
  | { readonly kind: "absent" }
  /** Somebody's balance of `mint`: a common mistake of callers. */
  | { readonly kind: "token-account"; readonly mint: SolanaAddress }
  | { readonly kind: "wallet" }
  | { readonly kind: "other" }
  /** A token program owns it and it may be a mint, but its bytes do not read as one. */
  | { readonly kind: "unreadable" }

/** `COption<Pubkey>`: tag 0 none, 1 some; any other tag is no mint. */
const readOption = (bytes: Bytes, offset: number): SolanaAddress | null | undefined => {
  const tag = bytes.u32(offset)
  if (tag === 0) return null
  return tag === 1 ? bytes.address(offset + 4) : undefined
}

const decodeMint = (account: SolanaAccount): Mint | null => {
  const bytes = bytesOf(account.data)
  const mintAuthority = readOption(bytes, 0)
  const freezeAuthority = readOption(bytes, 46)
  if (mintAuthority === undefined || freezeAuthority === undefined || bytes.u8(45) !== 1) return null
  const isCut = account.data.length < account.space
  const walk: ExtensionWalk =
    account.data.length === MINT_LENGTH
      ? { kind: "complete", extensions: {} }
      : isCut
        ? { ...walkExtensions(account.data), kind: "malformed" }
        : walkExtensions(account.data)
  return {
    program: account.owner === TOKEN_PROGRAM ? "token" : "token-2022",
    mintAuthority,
    freezeAuthority,
    supply: bytes.u64(36),
    decimals: bytes.u8(44),
    walk
  }
}

const hasMintShape = ({ data, owner, space }: SolanaAccount): boolean => {
  if (owner === TOKEN_PROGRAM) return space === MINT_LENGTH
  if (owner !== TOKEN_2022_PROGRAM || space === MULTISIG_LENGTH) return false
  return space === MINT_LENGTH || (space > PADDED_LENGTH && data[KIND_OFFSET] === KIND_MINT)
}

/**
 * Reads the account a caller named as a mint. A mint is an account of a token program with the
 * right length and kind, initialized; everything else is named for what it is.
 */
export const readMint = (account: SolanaAccount | null): MintReading => {
  if (account === null) return { kind: "absent" }
  if (hasMintShape(account) && account.data.length >= MINT_LENGTH) {
    const mint = decodeMint(account)
    return mint === null ? { kind: "unreadable" } : { kind: "mint", mint }
  }
  const balance = decodeTokenAccount(account)
  if (balance !== null) return { kind: "token-account", mint: balance.mint }
  return account.owner === SYSTEM_PROGRAM ? { kind: "wallet" } : { kind: "other" }
}
