import { SqlClient } from "@effect/sql"
import { Context, Effect, Layer, Schema } from "effect"
import type { Network } from "../../domain/chain.ts"
import { merchantKey } from "../../domain/checkout.ts"
import type { UpstreamError } from "../../domain/errors.ts"
import { narrowSql } from "../../storage/sql-errors.ts"
import { StoredInteger } from "../../storage/stored-integer.ts"
import type { Scan } from "./scan.ts"

/** A merchant's receiving account and how far it was looked through. Times are Unix milliseconds. */
export interface ReceivingAccount {
  /** The merchant's wallet. */
  readonly owner: string
  /** Nothing before this can pay one of its checkouts. */
  readonly watchFrom: number
  readonly scan: Scan
  /** USDC in smallest units when it was last read through; null when it has to be looked at whatever the balance. */
  readonly balance: bigint | null
  readonly scannedTo: number
  readonly knownFrom: number
  /** A checkout's clock ran out, and only a look past that moment may end it. */
  readonly isDue: boolean
}

/** What a look at an account found out. */
export interface Look {
  readonly owner: string
  readonly scan: Scan
  readonly balance: bigint | null
  /** The chain's time up to which nothing is unseen; 0 when something is. */
  readonly scannedTo: number
  /** The chain's time from which on nothing is unseen; 0: since ever. */
  readonly knownFrom: number
}

/** Accounts that wallets may pay without us, one row each however many checkouts wait on it. */
export class ReceivingAccounts extends Context.Tag("token-risk/ReceivingAccounts")<
  ReceivingAccounts,
  {
    /**
     * Accounts to look at: those with checkouts that may still be paid first, the least recently looked at first; in
     * turn one that its merchant has proven and one that anybody may have named.
     */
    readonly next: (
      network: Network,
      now: number,
      limit: number
    ) => Effect.Effect<ReadonlyArray<ReceivingAccount>, UpstreamError>
    /** These accounts were looked at and nothing had changed. */
    readonly unchanged: (
      network: Network,
      owners: ReadonlyArray<string>,
      now: number
    ) => Effect.Effect<void, UpstreamError>
    /** The next round looks at this account whatever its balance. */
    readonly again: (network: Network, owner: string) => Effect.Effect<void, UpstreamError>
    readonly looked: (network: Network, look: Look, now: number) => Effect.Effect<void, UpstreamError>
  }
>() {}

/** Money may come after the clock's end, and go back: an account stays watched this long after its last checkout. */
export const REST_MILLIS = 30 * 86_400_000
/** Shortest time between two looks at such an account, and how much longer it waits than one with open checkouts. */
const REST_INTERVAL = 60_000
const REST_DELAY = 300_000
/** Between two looks that only end checkouts; an account with many of them is not read through for each. */
const DUE_INTERVAL = 30_000

const prefixOf = (network: Network): string => `${network}:`

const Row = Schema.Struct({
  owner: Schema.String,
  watch_from: StoredInteger,
  cursor: Schema.NullOr(Schema.String),
  scan_head: Schema.NullOr(Schema.String),
  scan_before: Schema.NullOr(Schema.String),
  scan_gap: StoredInteger,
  balance: Schema.NullOr(Schema.BigInt),
  scanned_to: StoredInteger,
  known_from: StoredInteger,
  due: StoredInteger
})
const decodeRows = Schema.decodeUnknown(Schema.Array(Row))

const accountOf = (row: typeof Row.Type): ReceivingAccount => ({
  // A network's own name holds a colon, an address none.
  owner: row.owner.slice(row.owner.lastIndexOf(":") + 1),
  watchFrom: row.watch_from,
  scan: { cursor: row.cursor, head: row.scan_head, before: row.scan_before, hasGap: row.scan_gap === 1 },
  balance: row.balance,
  scannedTo: row.scanned_to,
  knownFrom: row.known_from,
  isDue: row.due === 1
})

const make = Effect.gen(function* () {
  const sql = yield* SqlClient.SqlClient

  const next = Effect.fn("ReceivingAccounts.next")(function* (network: Network, now: number, limit: number) {
    const waits = sql`scanned_to <= watch_until`
    // What a clock looked at that was set back since is looked at now, and not when that clock is where it was.
    const rests = sql`watch_until > ${now - REST_MILLIS}
      AND (looked_at <= ${now - REST_INTERVAL} OR looked_at > ${now})`
    const candidates = sql`SELECT receiving_accounts.*,
        CASE WHEN EXISTS (SELECT 1 FROM merchants WHERE account = owner) THEN 1 ELSE 0 END AS proven,
        looked_at + CASE WHEN ${waits} THEN 0 ELSE ${REST_DELAY} END AS place
      FROM receiving_accounts WHERE owner LIKE ${`${prefixOf(network)}%`} AND owner IN (
        SELECT owner FROM receiving_accounts WHERE ${waits} UNION ALL SELECT owner FROM receiving_accounts WHERE ${rests})`
    // Accounts that somebody proved take turns with all others: strangers can name any number of those.
    const chosen = sql`SELECT candidates.*, ROW_NUMBER() OVER (PARTITION BY proven ORDER BY place) AS turn
      FROM (${candidates}) AS candidates ORDER BY turn, place LIMIT ${limit}`
    const rows =
      yield* narrowSql(sql`SELECT owner, watch_from, cursor, scan_head, scan_before, scan_gap, balance, scanned_to, known_from,
        CASE WHEN scanned_to <= ${now - DUE_INTERVAL} AND EXISTS (SELECT 1 FROM checkouts
          WHERE merchant = chosen.owner AND status = 'open'
          AND expires_at <= ${now} AND expires_at >= chosen.scanned_to) THEN 1 ELSE 0 END AS due
      FROM (${chosen}) AS chosen ORDER BY turn, place`)
    const decoded = yield* Effect.orDie(decodeRows(rows))
    return decoded.map(accountOf)
  })

  const unchanged = Effect.fn("ReceivingAccounts.unchanged")((
    network: Network,
    owners: ReadonlyArray<string>,
    now: number
  ) => {
    const rows = owners.map((owner) => prefixOf(network) + owner)
    return rows.length === 0
      ? Effect.void
      : narrowSql(sql`UPDATE receiving_accounts SET looked_at = ${now} WHERE ${sql.in("owner", rows)}`).pipe(
          Effect.asVoid
        )
  })

  const looked = Effect.fn("ReceivingAccounts.looked")((network: Network, look: Look, now: number) =>
    narrowSql(sql`UPDATE receiving_accounts SET looked_at = ${now}, cursor = ${look.scan.cursor},
        scan_head = ${look.scan.head}, scan_before = ${look.scan.before}, scan_gap = ${look.scan.hasGap ? 1 : 0},
        balance = ${look.balance === null ? null : look.balance.toString()}, scanned_to = ${look.scannedTo},
        known_from = ${look.knownFrom}
      WHERE owner = ${prefixOf(network) + look.owner}`).pipe(Effect.asVoid)
  )

  const again = Effect.fn("ReceivingAccounts.again")((network: Network, owner: string) =>
    narrowSql(
      sql`UPDATE receiving_accounts SET balance = NULL WHERE owner = ${merchantKey(network, owner)}`
    ).pipe(Effect.asVoid)
  )

  return ReceivingAccounts.of({ next, unchanged, again, looked })
})

/** Receiving accounts in the service's database. */
export const ReceivingAccountsLive = Layer.effect(ReceivingAccounts, make)
