import type { Hex } from "viem"
import { numberToHex } from "viem"
import { keccakHex } from "../../../chain/keccak.ts"
import type { LedgerForm, VotesForm } from "../power/findings.ts"
import type { BalanceInput } from "./balances.ts"
import { type Places, balancePlace, wordsOf } from "./storage-places.ts"
import { entry } from "./storage-proof.ts"
import type { StorageWord } from "./storage-root.ts"

const ADDRESS_MASK = (1n << 160n) - 1n

type Stored = ReadonlyMap<bigint, bigint>

const word = (value: bigint): Hex => numberToHex(value, { size: 32 })

/** The last checkpoint of a delegate's list; undefined where the word is empty, which a list that grew never leaves. */
const lastOf = (stored: Stored, table: bigint, delegate: bigint, dateBits: bigint) => {
  const place = entry(word(delegate), table)
  const length = stored.get(place) ?? 0n
  if (length === 0n) return { votes: 0n, date: 0n }
  const end = BigInt.asUintN(256, BigInt(keccakHex(word(place))) + length - 1n)
  const checkpoint = stored.get(end) ?? 0n
  if (checkpoint === 0n) return undefined
  return { votes: checkpoint >> dateBits, date: checkpoint & ((1n << dateBits) - 1n) }
}

/** For each delegate, the sum of the balances of those who named it. */
const namedShares = (
  stored: Stored,
  { balances, mask }: LedgerForm,
  delegates: NonNullable<VotesForm["delegates"]>,
  accounts: ReadonlySet<Hex>
): ReadonlyMap<bigint, bigint> => {
  const shares = new Map<bigint, bigint>()
  for (const account of accounts) {
    const delegate = (stored.get(balancePlace(delegates, account)) ?? 0n) & ADDRESS_MASK
    if (delegate === 0n || balances === null) continue
    const balance = (stored.get(balancePlace(balances, account)) ?? 0n) & BigInt(mask)
    shares.set(delegate, (shares.get(delegate) ?? 0n) + balance)
  }
  return shares
}

/**
 * Whether every delegate has exactly the votes of those who named it, and no checkpoint lies in the future. The code is
 * proven to keep this so; that it was so at the token's birth is shown here, in storage that was read whole. Otherwise one
 * holder's transfer could use up the votes that another holder's sale has to subtract, and the sale would revert.
 */
export const votesAddUp = (
  { blockNumber, now }: Pick<BalanceInput, "blockNumber" | "now">,
  ledger: LedgerForm | null,
  votes: VotesForm | null,
  words: ReadonlyArray<StorageWord>,
  all: ReadonlyArray<Places>
): boolean => {
  if (votes === null) return true
  const { clock, dateBits, delegates, tables } = votes
  if (delegates === null || ledger === null || ledger.balances === null) return false
  const stored = new Map(words.map(({ slot, value }) => [slot, value]))
  const accounts = wordsOf(all)
  const shares = namedShares(stored, ledger, delegates, accounts)
  const today = clock === "time" ? now : blockNumber
  const everybody = new Set([...[...accounts].map(BigInt), ...shares.keys()])
  return tables.every((table) =>
    [...everybody].every((account) => {
      const last = lastOf(stored, BigInt(table), account, BigInt(dateBits))
      return last !== undefined && last.votes === (shares.get(account) ?? 0n) && last.date <= today
    })
  )
}
