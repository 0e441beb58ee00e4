import type { Effect, Option } from "effect"
import { Context } from "effect"
import type { UpstreamError } from "../../../domain/errors.ts"
import type { Attempt, Job, JobResult, Place, Slot } from "./job.ts"

/** A key's address, lower-case hex. */
export type Address = `0x${string}`

/** A job, and whether the journal already holds it. */
export interface Entry {
  readonly job: Job
  readonly stored: boolean
}

/** A transaction as it is written down before it is sent for the first time. */
export interface Preparation {
  readonly address: Address
  readonly nonce: number
  readonly gas: bigint
  readonly bound: bigint
  readonly windowEnd: number
  readonly entries: ReadonlyArray<Entry>
  readonly attempt: Omit<Attempt, "createdAt" | "sentAt">
  /** The most it may cost, in equal parts for the payments it carries: millionths of a USD. */
  readonly mostFee: bigint
}

/** Another attempt at a nonce that is taken. */
export type Replacement = Pick<Preparation, "address" | "nonce" | "attempt" | "mostFee">

/**
 * What became of signed bytes before they are sent. `superseded`: the key is not ours, or another process was faster with a
 * payment. `beyond`: the budgets of these payments have no room for the fee, and nothing was stored.
 */
export type Stored =
  | { readonly state: "stored" | "superseded" }
  | { readonly state: "beyond"; readonly keys: ReadonlyArray<string> }

/** Where a nonce was used, and what that did to each job it carried. */
export interface Inclusion {
  readonly address: Address
  readonly nonce: number
  readonly hash: Attempt["hash"]
  readonly height: number
  readonly blockHash: string
  /** Millionths of a USD. */
  readonly feeMicros: bigint
  /** Deep enough that no reorganisation takes it away. */
  readonly isFinal: boolean
  /** Code of its payer's made it fail. */
  readonly isBurnt?: boolean
  /** Which part of what it carried failed, 0 to 1. */
  readonly failedPart?: number
  readonly results: ReadonlyArray<{
    readonly authorizationKey: string
    /** `waiting`: it goes back and is sent with another nonce, because this one was taken by something else. */
    readonly result: Exclude<JobResult, { readonly state: "pending" }> | { readonly state: "waiting" }
  }>
}

/** A job's place among those that wait. */
export interface InLine {
  readonly createdAt: number
  readonly authorizationKey: string
}

/** Some of the jobs that wait, and behind which the next ones are; none are left where `last` is missing. */
export interface WaitingJobs {
  readonly jobs: ReadonlyArray<Job>
  readonly last: InLine | undefined
}

type Written<A = void> = Effect.Effect<A, UpstreamError>

/**
 * The durable record of the sending side. A key belongs to one process at a time; a nonce is taken, and its signed
 * bytes are stored, in one transaction that also checks that the key is still ours. So a process that slept through
 * its lease can send again what is stored, and can sign nothing new.
 */
export class SettlementJournal extends Context.Tag("token-risk/SettlementJournal")<
  SettlementJournal,
  {
    /** Milliseconds a key belongs to a process that shows no sign of life. */
    readonly lease: number
    /** Takes a free key or renews our own for a `lease`; by the database's clock. */
    readonly hold: (address: Address) => Written<boolean>
    /** Gives a key back, so that another process need not wait for the lease to end. */
    readonly release: (address: Address) => Written
    /** The next free nonce by our own count; `null` for a key that was never used here. */
    readonly nextNonce: (address: Address) => Written<number | null>
    /** Sets the next nonce of a key we hold. */
    readonly adoptNonce: (address: Address, nonce: number) => Written
    /** Stores a job for whoever holds a key; one that failed or expired waits anew, at most `MAX_TRIES` times. */
    readonly offer: (job: Job) => Written
    /** A job and what became of it; none when it was never stored. */
    readonly find: (authorizationKey: string) => Written<Option.Option<{ job: Job; result: JobResult }>>
    /** Which of these payments have a result by now. */
    readonly finished: (
      authorizationKeys: ReadonlyArray<string>
    ) => Written<ReadonlyArray<{ readonly authorizationKey: string; readonly result: JobResult }>>
    /** Jobs that are stored and have no nonce, oldest first: a bounded number of them, behind `after`. */
    readonly waiting: (after: InLine | undefined) => Written<WaitingJobs>
    /** Gives up a waiting job. */
    readonly expire: (authorizationKey: string, reason: string) => Written<boolean>
    /** Takes a nonce for a new transaction, and sets aside what it may cost. */
    readonly prepare: (preparation: Preparation) => Written<Stored>
    /** Stores another attempt at a nonce that we hold; what a cancellation may cost is set aside whatever is left. */
    readonly replace: (replacement: Replacement) => Written<Stored>
    /** A node took it, or may have. */
    readonly sent: (address: Address, nonce: number, hash: Attempt["hash"]) => Written
    /** Every nonce that is not final, lowest first; of those in a block, the ones above `since` alone. */
    readonly slots: (address: Address, since: number) => Written<ReadonlyArray<Slot>>
    /**
     * What waits for a block, lowest nonce first; and where those are that a block above `since` holds, without what
     * they carry: a look at the chain reads it several times a second.
     */
    readonly underWay: (
      address: Address,
      since: number
    ) => Written<{ readonly open: ReadonlyArray<Slot>; readonly included: ReadonlyArray<Place> }>
    /** Those that a block at `until` or below holds and that are not final, lowest first. */
    readonly closable: (address: Address, until: number) => Written<ReadonlyArray<Slot>>
    readonly include: (inclusion: Inclusion) => Written
    /** A reorganisation took it out of the chain: it is in flight again. */
    readonly reopen: (address: Address, nonce: number) => Written
    /** A nonce that somebody else's transaction took for good: its jobs go back to waiting. */
    readonly abandon: (address: Address, nonce: number) => Written
    /** Fees of the last 24 hours, of all keys, and what payments may cost that are under way: millionths of a USD. */
    readonly spentToday: Written<bigint>
    /** Those among them of transactions that payers' own code made fail. */
    readonly burntToday: Written<bigint>
    /** The parts of the others that carried what failed. */
    readonly failedToday: Written<bigint>
    /** Drops what ended longer than this ago (milliseconds). */
    readonly prune: (age: number) => Written
  }
>() {}

/** How often one payment is put into a transaction, where a transaction took its nonce and did not move the money. */
export const MAX_TRIES = 3
