import type { SolanaAddress } from "../../../domain/address.ts"
import type { SolanaAccount, SolanaTokenBalance } from "../../../chain/chain-rpc.ts"
import { max, min } from "../../../domain/bigint.ts"
import { TOKEN_2022_PROGRAM, TOKEN_PROGRAM } from "../addresses.ts"
import type { AccountBook } from "./account-book.ts"
import type { Guards } from "./account-extensions.ts"
import { guardsOf, isBound, unguarded } from "./account-extensions.ts"
import { bytesOf } from "./bytes.ts"

/** Length of a token account without extensions; with them, byte 165 names the kind of account. */
const TOKEN_ACCOUNT_LENGTH = 165
/** A Token-2022 multisig has this length and no kind byte. Source: spl-token-2022 `Multisig::LEN`. */
export const MULTISIG_LENGTH = 355
const KIND_OFFSET = 165
const KIND_ACCOUNT = 2

export interface TokenAccount {
  readonly mint: SolanaAddress
  readonly owner: SolanaAddress
  /** Smallest units. */
  readonly amount: bigint
  readonly frozen: boolean
  /** It was opened for a mint that let nobody transfer. */
  readonly isBound: boolean
  /** Who else may move some of it. */
  readonly delegate: SolanaAddress | null
  /** How much of it, smallest units. */
  readonly delegated: bigint
  /** Whom its owner has named as its delegate, be it for none of it: there are programs that ask for no more. */
  readonly appointed: SolanaAddress | null
  /** Somebody may take the SOL that is wrapped in it by closing it; every other account closes empty. */
  readonly canBeDrained: boolean
  /** What keeps programs from trading with it; null where its extensions were not read to the end. */
  readonly guards: Guards | null
}

/** A listed account of a mint's, and the account itself where it was read. */
export interface Listed {
  readonly listed: SolanaTokenBalance
  readonly account: TokenAccount | null
}

/** The account of the mint's that stands there: another token's tells nothing. */
export const accountAt = (
  book: AccountBook,
  mint: SolanaAddress,
  address: SolanaAddress
): TokenAccount | null => {
  const account = decodeTokenAccount(book.get(address) ?? null)
  return account?.mint === mint ? account : null
}

/** List and accounts were read one after the other, by indexes of their own: whatever tells more counts. */
export const withAccounts = (
  list: ReadonlyArray<SolanaTokenBalance>,
  mint: SolanaAddress,
  book: AccountBook
): ReadonlyArray<Listed> =>
  list.map(({ address, amount }) => {
    const account = accountAt(book, mint, address)
    return { listed: { address, amount: max(amount, account?.amount ?? 0n) }, account }
  })

/** `COption` tags of the account's optional fields. Source: spl-token `Account`. */
const DELEGATE_AT = 72
const IS_NATIVE_AT = 109
const DELEGATED_AMOUNT_AT = 121
const CLOSE_AUTHORITY_AT = 129

/** What accounts that are still held were decoded to: one is looked at a dozen times in a screening. */
const decoded = new WeakMap<SolanaAccount, TokenAccount | null>()

/** A token account of either token program, whole or cut at 165 bytes; null for every other account. */
export const decodeTokenAccount = (account: SolanaAccount | null): TokenAccount | null => {
  if (account === null || account.data.length < TOKEN_ACCOUNT_LENGTH) return null
  const known = decoded.get(account)
  if (known !== undefined) return known
  const found = decode(account)
  decoded.set(account, found)
  return found
}

const decode = (account: SolanaAccount): TokenAccount | null => {
  const isPlain = account.space === TOKEN_ACCOUNT_LENGTH
  const isExtended =
    account.owner === TOKEN_2022_PROGRAM &&
    account.space > TOKEN_ACCOUNT_LENGTH &&
    account.space !== MULTISIG_LENGTH &&
    (account.data.length <= KIND_OFFSET || account.data[KIND_OFFSET] === KIND_ACCOUNT)
  if (
    account.owner === TOKEN_PROGRAM
      ? !isPlain
      : !(account.owner === TOKEN_2022_PROGRAM && (isPlain || isExtended))
  ) {
    return null
  }
  const bytes = bytesOf(account.data)
  const state = bytes.u8(108)
  if (state !== 1 && state !== 2) return null
  const amount = bytes.u64(64)
  const appointed = bytes.u32(DELEGATE_AT) === 0 ? null : bytes.address(DELEGATE_AT + 4)
  const allowed = appointed === null ? 0n : bytes.u64(DELEGATED_AMOUNT_AT)
  return {
    mint: bytes.address(0),
    owner: bytes.address(32),
    amount,
    frozen: state === 2,
    isBound: !isPlain && isBound(account.data),
    delegate: allowed > 0n ? appointed : null,
    delegated: min(allowed, amount),
    appointed,
    canBeDrained: bytes.u32(IS_NATIVE_AT) !== 0 && bytes.u32(CLOSE_AUTHORITY_AT) !== 0,
    guards: isPlain ? unguarded : guardsOf(account.data, account.space)
  }
}
