import type { Address, Hex } from "viem"
import type { Fact } from "../../../domain/fact.ts"
import { known, missing } from "../../../domain/fact.ts"
import { lower } from "../addresses.ts"
import type { EntryForm } from "../entries.ts"
import type { LedgerForm } from "../power/findings.ts"
import { type Places, balancePlace, wordsOf } from "./storage-places.ts"
import type { StorageWord } from "./storage-root.ts"

const ADDRESS_BITS = 160n
const ADDRESS_MASK = (1n << ADDRESS_BITS) - 1n

const NOBODY_ASKED: ReadonlyMap<Address, bigint> = new Map()

const accountText = (account: bigint): Address => `0x${account.toString(16).padStart(40, "0")}`

/** Solady cuts a key to an account; elsewhere the whole word is the key. */
const accountIn = ({ order }: EntryForm, word: Hex): bigint =>
  order === "solady" ? BigInt(word) & ADDRESS_MASK : BigInt(word)

/**
 * What storage that was read whole says that accounts hold whom nobody asked about. Storage is looked at under every word
 * that events, code and birth name, numbers and what a constructor fixed among them; a balance found there is accounted
 * for, and must be counted as well. Missing where the code's way to work out places is not known, or a balance is no
 * account's: where nothing is proven of the code, nothing is safe anyway.
 * @param told what the token said, by account
 */
export const unaskedBalances = (
  ledger: LedgerForm | null,
  words: ReadonlyArray<StorageWord>,
  all: ReadonlyArray<Places>,
  told: ReadonlyMap<Address, bigint>
): Fact<ReadonlyMap<Address, bigint>> => {
  if (ledger === null) return known(NOBODY_ASKED)
  const { allowances, balances, mask } = ledger
  if (balances === null || allowances === null)
    return missing("whose the words of its storage are cannot be told")
  const stored = new Map(words.map(({ slot, value }) => [slot, value & BigInt(mask)]))
  const asked = new Set([...told.keys()].map(lower))
  const found = new Map<Address, bigint>()
  for (const word of wordsOf(all)) {
    const account = accountIn(balances, word)
    if (asked.has(accountText(account))) continue
    const balance = stored.get(balancePlace(balances, word)) ?? 0n
    if (balance === 0n) continue
    if (account > ADDRESS_MASK) return missing("its storage holds a balance that is no account's")
    found.set(accountText(account), balance)
  }
  return known(found)
}
