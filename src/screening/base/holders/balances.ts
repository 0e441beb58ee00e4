import { Effect } from "effect"
import type { Address } from "viem"
import type { BaseRpc, EvmBatch } from "../../../chain/chain-rpc.ts"
import type { UpstreamError } from "../../../domain/errors.ts"
import { BURN_ADDRESSES } from "../addresses.ts"
import { V4 } from "../pools/factories.ts"
import type { LockerList } from "../pools/lp-lock.ts"
import { looselyLocked } from "../pools/lp-lock.ts"
import { balanceOf, both, list } from "../reads/query.ts"

/** Whose balances are nobody's, and where they are read. */
export interface BalanceInput {
  readonly token: Address
  readonly blockNumber: bigint
  readonly pools: ReadonlyArray<Address>
  readonly lockers: LockerList
  /** Unix seconds of the block everything is read at. */
  readonly now: bigint
}

/** Balances read one by one; more accounts are a market, not a group. */
const MAX_BALANCES = 400

/** Balances that the token told, and whether it told all that had to be asked. */
export interface Balances {
  readonly of: ReadonlyMap<Address, bigint>
  readonly all: boolean
  /** The token did not tell what somebody holds that was asked: it may be all the rest. */
  readonly silent: boolean
  /** Of what was asked now, in lockers and not held back for long; null where the token did not tell. */
  readonly loose: bigint | null
  /** Balances of accounts that need not matter: no evidence until somebody names them. */
  readonly ahead: ReadonlyMap<Address, bigint>
}

const NO_BALANCES: Balances = { of: new Map(), all: false, silent: true, loose: null, ahead: new Map() }

const NOTHING: Effect.Effect<Pick<EvmBatch, "results">, UpstreamError> = Effect.succeed({ results: [] })

/** What each of the accounts holds that the token told. */
const toldOf = (accounts: ReadonlyArray<Address>, balances: ReadonlyArray<bigint | undefined>) =>
  accounts.flatMap((holder, index) => {
    const balance = balances[index]
    return balance === undefined ? [] : [[holder, balance] as const]
  })

export const isLocker = ({ lockers }: Pick<BalanceInput, "lockers">, holder: Address): boolean =>
  lockers.some(({ address }) => address === holder)

/** Addresses that hold tokens for others (pools, lockers) or for nobody (burn addresses). */
export const isNobodys = (input: BalanceInput, holder: Address): boolean =>
  input.pools.includes(holder) ||
  holder === input.token ||
  holder === V4.poolManager ||
  BURN_ADDRESSES.includes(holder) ||
  isLocker(input, holder)

/**
 * What the token says that accounts hold.
 * @param lockers lockers whose dates are read beside; none where they were before
 * @param ahead accounts of whom it is not known yet whether they matter
 */
export const readBalances = (
  rpc: BaseRpc,
  input: BalanceInput,
  wanted: ReadonlyArray<Address>,
  lockers: LockerList = [],
  ahead: ReadonlyArray<Address> = []
): Effect.Effect<Balances> => {
  const { blockNumber, now, token } = input
  const accounts = wanted.slice(0, MAX_BALANCES)
  const balancesOf = (holders: ReadonlyArray<Address>) =>
    list(holders.map((holder) => balanceOf(token, holder)))
  const query = both(both(balancesOf(accounts), balancesOf(ahead)), looselyLocked(token, lockers, now))
  const asked = query.reads.length === 0 ? NOTHING : rpc.readAll(query.reads, { blockNumber })
  return asked.pipe(
    Effect.map(({ results }): Balances => {
      const [[balances, others], loose] = query.decode(results)
      const told = toldOf(accounts, balances)
      return {
        of: new Map(told),
        all: told.length === wanted.length,
        silent:
          loose === undefined ||
          accounts.some((holder, index) => balances[index] === undefined && !isNobodys(input, holder)),
        loose: loose ?? null,
        ahead: new Map(toldOf(ahead, others))
      }
    }),
    Effect.catchAll(() => Effect.succeed(NO_BALANCES))
  )
}
