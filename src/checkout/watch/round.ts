import { Clock, Effect } from "effect"
import type { Network } from "../../domain/chain.ts"
import type { UpstreamError } from "../../domain/errors.ts"
import { makeLease } from "../../storage/lease.ts"
import type { Look, ReceivingAccount } from "./receiving-accounts.ts"
import { ReceivingAccounts } from "./receiving-accounts.ts"

/** What one call shows of many accounts: USDC in smallest units, in the order asked for. */
export interface Sight {
  readonly amounts: ReadonlyArray<bigint>
}

/** One chain as its receiving accounts are watched. */
export interface Watched<S extends Sight> {
  readonly network: Network
  readonly lease: { readonly name: string; readonly millis: number }
  /** Accounts whose balance one round reads, in one call. */
  readonly mostSeen: number
  /** Accounts one round reads through, and how many of them at once. */
  readonly mostLooks: number
  readonly looksAtOnce: number
  readonly see: (owners: ReadonlyArray<string>) => Effect.Effect<S, UpstreamError>
  /** Reads one account through and writes down what moved. */
  readonly look: (
    account: ReceivingAccount,
    balance: bigint,
    seen: S
  ) => Effect.Effect<Omit<Look, "owner">, UpstreamError>
  /** Looks after transfers that were written down before their blocks were final. */
  readonly standing: Effect.Effect<void, UpstreamError>
}

/** An account as a round found it. */
interface Found {
  readonly account: ReceivingAccount
  readonly balance: bigint
}

const isOfInterest = ({ account, balance }: Found): boolean => account.isDue || account.balance !== balance

/**
 * Finds what wallets paid by themselves. One process does it for all. A round reads the balances of many merchants in
 * one call, and reads through only the accounts whose balance moved or whose checkouts wait to be ended. How many
 * accounts it read through.
 */
export const makeRound = <S extends Sight>({ network, see, ...watched }: Watched<S>) =>
  Effect.gen(function* () {
    const accounts = yield* ReceivingAccounts
    const lease = yield* makeLease(watched.lease.name, watched.lease.millis)

    const putOff = ({ owner }: ReceivingAccount) =>
      Effect.flatMap(Clock.currentTimeMillis, (now) => accounts.unchanged(network, [owner], now))

    /**
     * An account that cannot be read keeps its scan and goes to the end of the queue: it holds up nobody else. The same
     * where a look dies: it would be the first again in every round.
     */
    const lookAlone = ({ account, balance }: Found, seen: S) =>
      watched.look(account, balance, seen).pipe(
        Effect.zip(Clock.currentTimeMillis),
        Effect.flatMap(([look, now]) => accounts.looked(network, { ...look, owner: account.owner }, now)),
        Effect.catchTag("UpstreamError", ({ detail, kind }) =>
          Effect.logWarning("a receiving account was not looked at").pipe(
            Effect.annotateLogs({ owner: account.owner, kind, detail }),
            Effect.zipRight(putOff(account))
          )
        ),
        Effect.catchAllDefect((defect) =>
          Effect.logError("a look at a receiving account died", defect).pipe(
            Effect.annotateLogs({ owner: account.owner }),
            Effect.zipRight(putOff(account))
          )
        )
      )

    const look = Effect.gen(function* () {
      const now = yield* Clock.currentTimeMillis
      const next = yield* accounts.next(network, now, watched.mostSeen)
      if (next.length === 0) return 0
      const seen = yield* see(next.map(({ owner }) => owner))
      const found = next.map((account, index): Found => ({ account, balance: seen.amounts[index] ?? 0n }))
      const quiet = found.filter((one) => !isOfInterest(one)).map(({ account }) => account.owner)
      yield* accounts.unchanged(network, quiet, now)
      const looked = found.filter(isOfInterest).slice(0, watched.mostLooks)
      yield* Effect.forEach(looked, (one) => lookAlone(one, seen), {
        concurrency: watched.looksAtOnce,
        discard: true
      })
      return looked.length
    })

    // In turn, so that nothing is lost and found at once.
    return Effect.gen(function* () {
      if (!(yield* lease.hold)) return 0
      const looked = yield* look
      yield* watched.standing
      return looked
    }).pipe(Effect.withSpan("Checkouts.findTransfers", { attributes: { network } }))
  })
