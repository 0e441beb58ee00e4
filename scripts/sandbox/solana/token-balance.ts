/** Token accounts and mints read from litesvm, in the JSON shapes of a node. */
import type { Address } from "@solana/kit"
import type { LiteSVM } from "litesvm"
import * as at from "./addresses.ts"
import { addressAt } from "./keys.ts"

export interface TokenAmountJson {
  readonly amount: string
  readonly decimals: number
  readonly uiAmount: number
  readonly uiAmountString: string
}

export interface TokenAccountView {
  readonly address: Address
  readonly mint: Address
  readonly owner: Address
  readonly amount: bigint
  readonly program: Address
  readonly data: Uint8Array
  readonly lamports: bigint
  readonly state: number
}

export interface MintView {
  readonly supply: bigint
  readonly decimals: number
  readonly mintAuthority: Address | null
  readonly freezeAuthority: Address | null
  readonly program: Address
}

export interface TokenBalance {
  readonly accountIndex: number
  readonly mint: Address
  readonly owner: Address
  readonly programId: Address
  readonly uiTokenAmount: TokenAmountJson
}

const TOKEN_ACCOUNT_SIZE = 165
const MINT_SIZE = 82
const MINT_TYPE = 1
const ACCOUNT_TYPE = 2

const isTokenProgram = (program: Address): boolean =>
  program === at.TOKEN_PROGRAM || program === at.TOKEN_2022_PROGRAM

const viewOf = (data: Uint8Array): DataView => new DataView(data.buffer, data.byteOffset, data.byteLength)

const parseTokenAccount = (
  address: Address,
  program: Address,
  raw: Uint8Array,
  lamports: bigint
): TokenAccountView | null => {
  const data = Uint8Array.from(raw)
  const isAccount =
    data.length === TOKEN_ACCOUNT_SIZE ||
    (data.length > TOKEN_ACCOUNT_SIZE && data[TOKEN_ACCOUNT_SIZE] === ACCOUNT_TYPE)
  if (!isTokenProgram(program) || !isAccount) return null
  const amount = viewOf(data).getBigUint64(64, true)
  const state = data[108] ?? 0
  return {
    address,
    mint: addressAt(data, 0),
    owner: addressAt(data, 32),
    amount,
    program,
    data,
    lamports,
    state
  }
}

type MaybeAccount = ReturnType<LiteSVM["getAccount"]>

const tokenAccountOf = (account: MaybeAccount): TokenAccountView | null =>
  account.exists
    ? parseTokenAccount(
        account.address,
        account.programAddress,
        Uint8Array.from(account.data),
        account.lamports
      )
    : null

export const readTokenAccount = (svm: LiteSVM, address: Address): TokenAccountView | null =>
  tokenAccountOf(svm.getAccount(address))

export const readMint = (svm: LiteSVM, address: Address): MintView | null => {
  const account = svm.getAccount(address)
  if (!account.exists || !isTokenProgram(account.programAddress)) return null
  const data = Uint8Array.from(account.data)
  const isMint =
    data.length === MINT_SIZE || (data.length > TOKEN_ACCOUNT_SIZE && data[TOKEN_ACCOUNT_SIZE] === MINT_TYPE)
  if (!isMint) return null
  const view = viewOf(data)
  return {
    mintAuthority: view.getUint32(0, true) === 1 ? addressAt(data, 4) : null,
    supply: view.getBigUint64(36, true),
    decimals: data[44] ?? 0,
    freezeAuthority: view.getUint32(46, true) === 1 ? addressAt(data, 50) : null,
    program: account.programAddress
  }
}

const readTokenAccounts = (svm: LiteSVM): ReadonlyArray<TokenAccountView> =>
  [at.TOKEN_PROGRAM, at.TOKEN_2022_PROGRAM].flatMap((program) =>
    svm
      .getProgramAccounts(program)
      .flatMap(
        ({ address, data, lamports }) =>
          parseTokenAccount(address, program, Uint8Array.from(data), lamports) ?? []
      )
  )

const memories: Array<WeakMap<LiteSVM, unknown>> = []

/** Keeps what was read until an account changes: reading costs a base58 number each, and one screening asks several times. */
export const untilChange = <A>(read: (svm: LiteSVM) => A): ((svm: LiteSVM) => A) => {
  const memory = new WeakMap<LiteSVM, { readonly value: A }>()
  memories.push(memory)
  return (svm) => {
    const known = memory.get(svm) ?? { value: read(svm) }
    memory.set(svm, known)
    return known.value
  }
}

/** Must be told of everything that writes accounts. */
export const forgetAccounts = (svm: LiteSVM): void => {
  for (const memory of memories) memory.delete(svm)
}

/** Every token account of both token programs. */
export const allTokenAccounts = untilChange(readTokenAccounts)

export const tokenAmountJson = (amount: bigint, decimals: number): TokenAmountJson => {
  const digits = amount.toString().padStart(decimals + 1, "0")
  const whole = digits.slice(0, digits.length - decimals)
  const fraction = digits.slice(digits.length - decimals).replace(/0+$/, "")
  const uiAmountString = fraction === "" ? whole : `${whole}.${fraction}`
  return { amount: amount.toString(), decimals, uiAmount: Number(uiAmountString), uiAmountString }
}

/** What an account held when it was read; `null` where it is no token account. Mints do not change what they are. */
export const tokenBalanceOf = (
  svm: LiteSVM,
  read: MaybeAccount,
  accountIndex: number
): TokenBalance | null => {
  const account = tokenAccountOf(read)
  const mint = account === null ? null : readMint(svm, account.mint)
  if (account === null || mint === null) return null
  return {
    accountIndex,
    mint: account.mint,
    owner: account.owner,
    programId: account.program,
    uiTokenAmount: tokenAmountJson(account.amount, mint.decimals)
  }
}
