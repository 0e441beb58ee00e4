import { Array as Arr, Clock, Duration, Effect, Schedule } from "effect"
import type { UpstreamError } from "../../../domain/errors.ts"
import { tellingTrouble } from "../../../domain/trouble.ts"
import type { SignatureStatus, SolanaNode } from "../../verifier/svm/node.ts"
import { type Send } from "./send.ts"
import type { OpenTransfer, Transfers } from "./transfers.ts"

/**
 * Milliseconds after which no node sends a transfer on: a blockhash lives 150 blocks, which take thirty seconds as a rule, and
 * this long where they take six times as long.
 */
const LIFE = 180_000
/** Milliseconds after which a slot is final, as a rule: 32 slots and some more. */
const FINALITY = 20_000
/** Between two looks at what nobody waits for. */
const LOOK = Duration.seconds(2)
const PRUNE = Duration.hours(1)
const KEEP = Duration.toMillis(Duration.days(30))
/** Signatures of one question. Source: agave. */
const MOST_STATUSES = 256

interface DriveOptions {
  readonly node: Pick<SolanaNode, "statuses">
  readonly transfers: Transfers
  readonly send: Send
}

interface Seen {
  readonly transfer: OpenTransfer
  readonly status: SignatureStatus
}

const isLanded = ({ status: { state } }: Seen): boolean => state === "landed" || state === "failed"

/** Sends on what may still land, and closes what is final or past its life. Outcomes are the ledger's business. */
const driveOn = Effect.fnUntraced(function* (
  { send, transfers }: DriveOptions,
  seen: ReadonlyArray<Seen>,
  now: number
) {
  const isOld = ({ transfer }: Seen): boolean => now - transfer.createdAt >= LIFE
  const final = seen.filter((one) => isLanded(one) && (one.status.isFinal || isOld(one)))
  const endedAs = (state: SignatureStatus["state"]) =>
    final.filter(({ status }) => status.state === state).map(({ transfer }) => transfer.authorizationKey)
  const [landed, failed] = [endedAs("landed"), endedAs("failed")]
  if (landed.length > 0) yield* transfers.setState(landed, "final")
  if (failed.length > 0) yield* transfers.fail(failed)
  const dead = seen.filter((one) => isOld(one) && !isLanded(one))
  const lost = seen.filter((one) => !isOld(one) && one.status.state === "unseen")
  yield* Effect.forEach(
    [
      ...dead.map(({ transfer }) => transfers.close(transfer.authorizationKey)),
      ...lost.map(({ transfer }) => send.again(transfer))
    ],
    Effect.ignoreLogged,
    { concurrency: 4, discard: true }
  )
})

const repeatedly = (name: string, effect: Effect.Effect<unknown, UpstreamError>, every: Duration.Duration) =>
  Effect.ignoreLogged(tellingTrouble(`Solana settlement: ${name}`)(effect)).pipe(
    Effect.repeat(Schedule.spaced(every)),
    Effect.forkScoped
  )

/** Looks after what is stored, whoever stored it, for as long as the scope is open. */
export const driveTransfers = Effect.fnUntraced(function* (options: DriveOptions) {
  const { node, transfers } = options
  const driveSome = Effect.fnUntraced(function* (some: ReadonlyArray<OpenTransfer>) {
    const statuses = yield* node.statuses(some.map(({ id }) => id))
    const seen = some.flatMap((transfer, at) => {
      const status = statuses[at]
      return status === undefined ? [] : [{ transfer, status }]
    })
    yield* driveOn(options, seen, yield* Clock.currentTimeMillis)
  })
  const telling = tellingTrouble("Solana settlement: statuses")
  const driveAll = Effect.gen(function* () {
    const some = [...(yield* transfers.open), ...(yield* transfers.included(FINALITY))]
    yield* Effect.forEach(
      Arr.chunksOf(some, MOST_STATUSES),
      (chunk) => Effect.ignoreLogged(telling(driveSome(chunk))),
      { discard: true }
    )
  })
  yield* repeatedly("look", driveAll, LOOK)
  yield* repeatedly("prune", Effect.delay(transfers.prune(KEEP), PRUNE), Duration.zero)
})
