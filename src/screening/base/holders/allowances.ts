import type { Address, Hex } from "viem"
import type { Fact } from "../../../domain/fact.ts"
import { lower } from "../addresses.ts"
import { type BalanceInput, isNobodys } from "./balances.ts"
import { type Lending, type Places, allowancePlaces, isLentBy } from "./storage-places.ts"
import type { StorageWord } from "./storage-root.ts"

/** Where an account that cannot call `approve` itself may nevertheless have allowed somebody something. */
export type Allowances = ReadonlyArray<Lending>

const by = (isOwner: (holder: Address) => boolean) => (account: Hex) => isOwner(lower(account))

/** The allowances of pools, lockers, burn addresses and the token itself. */
export const allowancesIn = (places: Places, input: BalanceInput): Allowances =>
  allowancePlaces(
    places,
    by((holder) => isNobodys(input, holder))
  )

const slotText = (slot: bigint): string => `0x${slot.toString(16).padStart(64, "0")}`

/** What is stored where such owners would have allowed somebody something. */
export const allows = (
  words: Fact<ReadonlyArray<StorageWord>>,
  allowances: Allowances,
  isOwner: (holder: Address) => boolean
): boolean => {
  if (!words.known) return false
  const stored = new Set<string>(words.value.map(({ slot }) => slotText(slot)))
  return allowances.some(
    ({ pair, slots }) => isLentBy(pair, by(isOwner)) && slots.some((slot) => stored.has(slot))
  )
}
