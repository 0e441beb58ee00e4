import { Effect } from "effect"
import type { Address, Hex } from "viem"
import type { BaseRpc } from "../../../chain/chain-rpc.ts"
import { selectorsOf } from "../../../bytecode/selector.ts"
import { PRODUCT_ROUTERS } from "../../../domain/base-contracts.ts"
import { ZERO_ADDRESS, isNobody, lower } from "../addresses.ts"
import {
  CLANKER_V3,
  CLANKER_V4_LOCKER_ROWS,
  DOPPLER_INITIALIZER_ROWS,
  HOOK_ROWS,
  LAUNCHPAD_ROWS
} from "../pools/registry/launchpads.ts"
import { REGISTRY } from "../pools/registry/registry.ts"
import type { LedgerForm } from "../power/findings.ts"
import { SPENDERS } from "../simulation/spenders.ts"
import { type BalanceInput, isNobodys } from "./balances.ts"
import { type Sent, readSent } from "./birth.ts"
import type { Naming } from "./history.ts"
import { type Places, allowancePlace } from "./storage-places.ts"
import type { StorageWord } from "./storage-root.ts"

/**
 * Whether those whose allowances stand in storage gave them. Proven code lets nobody give another's; its constructor could:
 * to take what somebody will buy, whose account is known beforehand. Whoever approves sends a transaction, and that shows it.
 */

const addressesOf = (rows: ReadonlyArray<{ readonly address: Address }>): ReadonlyArray<Address> =>
  rows.map(({ address }) => address)

/** Contracts that take of what they were allowed only what their caller has. */
const PUBLIC: ReadonlySet<Address> = new Set([
  ...Object.values(PRODUCT_ROUTERS),
  ...SPENDERS,
  ...addressesOf(REGISTRY)
])

/** Contracts that approve while they make a token, and hold nothing for others. */
const MAKERS: ReadonlySet<Address> = new Set(
  addressesOf([
    ...CLANKER_V3,
    ...Object.values(LAUNCHPAD_ROWS),
    ...CLANKER_V4_LOCKER_ROWS,
    ...DOPPLER_INITIALIZER_ROWS,
    ...Object.values(HOOK_ROWS).flat()
  ])
)

/** Transactions asked for; what is said in others is not known to be given. */
const MAX_TRANSACTIONS = 64

/** Functions by which a caller allows the spender who is named first. */
const APPROVING: ReadonlySet<string> = new Set(
  selectorsOf([
    "approve(address,uint256)",
    "increaseAllowance(address,uint256)",
    "increaseApproval(address,uint256)",
    "approveAndCall(address,uint256)",
    "approveAndCall(address,uint256,bytes)"
  ])
)

type Pair = Naming["pair"]

const account = (word: Hex): Address => lower(`0x${word.slice(26)}`)
const nameOf = ([owner, spender]: Pair): string => `${owner}${spender}`

/**
 * Somebody could lose by it. What nobody's accounts allow is judged by itself, and so is what the token's own contract
 * does; a spender with the number of a precompiled contract takes nothing.
 */
const isOfHolder = (input: BalanceInput, [owner, spender]: Pair): boolean => {
  const [by, to] = [account(owner), account(spender)]
  return by !== ZERO_ADDRESS && !isNobodys(input, by) && !MAKERS.has(by) && !PUBLIC.has(to) && !isNobody(to)
}

/** The transactions in which those were first named together who may have allowed one another something, by their hashes. */
export const readNaming = (
  rpc: BaseRpc,
  input: BalanceInput,
  naming: ReadonlyArray<Naming>,
  birth: Hex | null
): Effect.Effect<ReadonlyMap<Hex, Sent>> => {
  const wanted = naming.flatMap(({ event, pair, transaction }) =>
    event === "approval" && transaction !== birth && isOfHolder(input, pair) ? [transaction] : []
  )
  return Effect.map(
    Effect.forEach(
      [...new Set(wanted)].slice(0, MAX_TRANSACTIONS),
      (hash) => Effect.map(readSent(rpc, hash), (found) => [hash, found] as const),
      { concurrency: "unbounded" }
    ),
    (read) => new Map(read.flatMap(([hash, found]) => (found === null ? [] : [[hash, found] as const])))
  )
}

/**
 * The owner sent it, to allow this spender, to a spender who was shown a signature, or to itself. What others make a
 * contract do says nothing: any contract calls a token for somebody, and a token tells whatever it likes.
 */
const isOwners = (token: Address, [owner, spender]: Pair, { from, input, to }: Sent): boolean => {
  const by = account(owner)
  if (from !== by) return false
  if (to !== token) return to === null || to === by || to === account(spender)
  return APPROVING.has(input.slice(0, 10)) && input.slice(10, 74) === spender.slice(2)
}

/** What is known of the transactions in which allowances were told of. */
export interface Told {
  readonly naming: ReadonlyArray<Naming>
  readonly transactions: ReadonlyMap<Hex, Sent>
}

/** An allowance stands in storage of which it is not shown that its owner gave it. */
export const hasForcedAllowance = (
  input: BalanceInput,
  ledger: LedgerForm | null,
  words: ReadonlyArray<StorageWord>,
  all: ReadonlyArray<Places>,
  { naming, transactions }: Told
): boolean => {
  const form = ledger?.allowances ?? null
  if (form === null) return false
  const stored = new Set(words.flatMap(({ slot, value }) => (value === 0n ? [] : [slot])))
  const first = new Map(naming.map(({ pair, transaction }) => [nameOf(pair), transaction]))
  return all
    .flatMap(({ pairs }) => pairs)
    .some((pair) => {
      if (!isOfHolder(input, pair) || !stored.has(allowancePlace(form, pair[0], pair[1]))) return false
      const hash = first.get(nameOf(pair))
      const sent = hash === undefined ? undefined : transactions.get(hash)
      return sent === undefined || !isOwners(input.token, pair, sent)
    })
}
