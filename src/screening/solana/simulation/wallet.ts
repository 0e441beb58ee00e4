/** What a wallet does beside trading: get SOL and tokens, open accounts, pass tokens on. */
import { SolanaAddress } from "../../../domain/address.ts"
import { ATA_PROGRAM, SYSTEM_PROGRAM, TOKEN_PROGRAM, WSOL } from "../addresses.ts"
import { associatedTokenAccount } from "../../../chain/program-address.ts"
import type { Instruction } from "./instruction.ts"
import { dataOf } from "./instruction.ts"

const COMPUTE_BUDGET = SolanaAddress.make("ComputeBudget111111111111111111111111111111")
/** The most a transaction may use, so that no honest trade ends for want of it. Source: agave `MAX_COMPUTE_UNIT_LIMIT`. */
const MOST_COMPUTE = 1_400_000

const u32 = (value: number): Uint8Array => {
  const bytes = new Uint8Array(4)
  new DataView(bytes.buffer).setUint32(0, value, true)
  return bytes
}

export const computeLimit: Instruction = {
  program: COMPUTE_BUDGET,
  accounts: [],
  data: dataOf(2, u32(MOST_COMPUTE))
}

/** A token account to open, unless it is there. */
export interface Holding {
  readonly owner: SolanaAddress
  readonly mint: SolanaAddress
  readonly tokenProgram: SolanaAddress
}

export const addressOf = ({ mint, owner, tokenProgram }: Holding): SolanaAddress =>
  associatedTokenAccount(owner, mint, tokenProgram)

export const open = (payer: SolanaAddress, holding: Holding): Instruction => ({
  program: ATA_PROGRAM,
  accounts: [
    [payer, "ws"],
    [addressOf(holding), "w"],
    [holding.owner, ""],
    [holding.mint, ""],
    [SYSTEM_PROGRAM, ""],
    [holding.tokenProgram, ""]
  ],
  data: dataOf(1)
})

export const sendLamports = (from: SolanaAddress, to: SolanaAddress, lamports: bigint): Instruction => ({
  program: SYSTEM_PROGRAM,
  accounts: [
    [from, "ws"],
    [to, "w"]
  ],
  data: dataOf(u32(2), lamports)
})

/** Turns SOL that lies in a wrapped account into its balance. */
const wrap = (account: SolanaAddress): Instruction => ({
  program: TOKEN_PROGRAM,
  accounts: [[account, "w"]],
  data: dataOf(17)
})

/** Passes tokens on, by `TransferChecked`, which every extension of a mint allows. */
export const pass = (
  from: { readonly owner: SolanaAddress; readonly account: SolanaAddress },
  to: SolanaAddress,
  token: {
    readonly mint: SolanaAddress
    readonly tokenProgram: SolanaAddress
    readonly decimals: number
    readonly amount: bigint
  }
): Instruction => ({
  program: token.tokenProgram,
  accounts: [
    [from.account, "w"],
    [token.mint, ""],
    [to, "w"],
    [from.owner, "s"]
  ],
  data: dataOf(12, token.amount, token.decimals)
})

/** Plain transfer of a quote token: quotes carry no extensions. */
const sendQuote = (from: Holding, to: SolanaAddress, amount: bigint): Instruction => ({
  program: from.tokenProgram,
  accounts: [
    [addressOf(from), "w"],
    [to, "w"],
    [from.owner, "s"]
  ],
  data: dataOf(3, amount)
})

/** Opens the holding and fills it from the payer's own means. */
export const fund = (payer: SolanaAddress, holding: Holding, amount: bigint): ReadonlyArray<Instruction> => {
  const account = addressOf(holding)
  return holding.mint === WSOL
    ? [open(payer, holding), sendLamports(payer, account, amount), wrap(account)]
    : [open(payer, holding), sendQuote({ ...holding, owner: payer }, account, amount)]
}
