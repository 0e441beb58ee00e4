import { Effect } from "effect"
import { UpstreamError } from "../../../domain/errors.ts"
import {
  type Attempt,
  decodeEvidence,
  decodeJob,
  encodeJob,
  type Job,
  type JobResult,
  type Place,
  type Slot
} from "./job.ts"

/** Numbers as both dialects give them; PostgreSQL gives a BIGINT as text. */
type Whole = number | string

export interface JobRow {
  readonly authorization_key: string
  readonly job: string
  readonly state: "waiting" | "assigned" | "landed" | "failed" | "expired"
  readonly evidence: string | null
  readonly reason: string | null
  readonly nonce: Whole | null
}

export interface SlotRow {
  readonly nonce: Whole
  readonly state: Slot["state"]
  readonly gas: string
  readonly bound: string
  readonly window_end: Whole
  readonly hash: string | null
  readonly block_number: Whole | null
  readonly block_hash: string | null
  readonly created_at: Whole
}

export interface AttemptRow {
  readonly hash: string
  readonly nonce: Whole
  readonly kind: Attempt["kind"]
  readonly raw: string
  readonly max_fee: string
  readonly tip: string
  readonly created_at: Whole
  readonly sent_at: Whole | null
}

const corrupt = () =>
  new UpstreamError({ upstream: "database", kind: "malformed", detail: "a settlement row cannot be read" })

const isHex = (text: string): text is `0x${string}` => /^0x[0-9a-f]*$/.test(text)

/** Throws on what is no hex. */
const hex = (text: string): `0x${string}` => {
  if (isHex(text)) return text
  throw new Error("not hex")
}

const MOST_JOBS = 1_000
const known = new Map<string, Job>()

const remember = (text: string, job: Job): void => {
  if (known.size >= MOST_JOBS) known.clear()
  known.set(text, job)
}

/** A stored job never changes, and while something is in flight the same ones are read several times a second. */
const jobOf = ({ job: text }: Pick<JobRow, "job">): Job => {
  const before = known.get(text)
  if (before !== undefined) return before
  const job = decodeJob(text)
  remember(text, job)
  return job
}

/** A job as its row holds it. Whoever stores it reads it soon, to tell what became of it. */
export const writeJob = (job: Job): string => {
  const text = encodeJob(job)
  remember(text, job)
  return text
}

export const readJob = (row: Pick<JobRow, "job">): Effect.Effect<Job, UpstreamError> =>
  Effect.try({ try: () => jobOf(row), catch: corrupt })

/** The newest attempt at a job's nonce. */
export interface Newest {
  readonly hash: string
  readonly sent_at: Whole | null
}

const readResult = (row: JobRow, newest: Newest | undefined): Effect.Effect<JobResult, UpstreamError> => {
  switch (row.state) {
    case "landed":
      return decodeEvidence(row.evidence ?? "").pipe(
        Effect.mapBoth({
          onSuccess: (evidence) => ({ state: "landed" as const, evidence }),
          onFailure: corrupt
        })
      )
    case "failed":
    case "expired":
      return Effect.succeed({ state: row.state, reason: row.reason ?? "" })
    default:
      return Effect.succeed({
        state: "pending",
        transaction: newest?.hash,
        isSent: (newest?.sent_at ?? null) !== null
      })
  }
}

/** A stored job with its result. */
export const readOutcome = (row: JobRow, newest: Newest | undefined) =>
  Effect.all({ job: readJob(row), result: readResult(row, newest) })

const attemptOf = (row: AttemptRow): Attempt => ({
  hash: hex(row.hash),
  raw: hex(row.raw),
  kind: row.kind,
  maxFee: BigInt(row.max_fee),
  tip: BigInt(row.tip),
  createdAt: Number(row.created_at),
  sentAt: row.sent_at === null ? null : Number(row.sent_at)
})

const inclusionOf = (row: SlotRow): Slot["inclusion"] =>
  row.hash === null
    ? undefined
    : { hash: hex(row.hash), height: Number(row.block_number), blockHash: row.block_hash ?? "" }

/** The nonces that a block holds, without what they carry. */
export const readPlaces = (
  rows: ReadonlyArray<SlotRow>
): Effect.Effect<ReadonlyArray<Place>, UpstreamError> =>
  Effect.try({
    try: () =>
      rows.flatMap((row): ReadonlyArray<Place> => {
        const inclusion = inclusionOf(row)
        return inclusion === undefined ? [] : [{ nonce: Number(row.nonce), ...inclusion }]
      }),
    catch: corrupt
  })

/** One occupied nonce with the rows that belong to it. */
export const readSlot = (
  row: SlotRow,
  attempts: ReadonlyArray<AttemptRow>,
  jobs: ReadonlyArray<JobRow>
): Effect.Effect<Slot, UpstreamError> => {
  const own = (other: { readonly nonce: Whole | null }) => Number(other.nonce) === Number(row.nonce)
  return Effect.try({
    try: () => ({
      nonce: Number(row.nonce),
      state: row.state,
      gas: BigInt(row.gas),
      bound: BigInt(row.bound),
      windowEnd: Number(row.window_end),
      createdAt: Number(row.created_at),
      inclusion: inclusionOf(row),
      attempts: attempts.filter(own).map(attemptOf),
      jobs: jobs.filter(own).map(jobOf)
    }),
    catch: corrupt
  })
}
