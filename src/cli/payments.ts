import { Console, Effect, Option } from "effect"
import { chainOf } from "../domain/chain.ts"
import { formatUsd } from "../domain/usd.ts"
import { makeRecords, type PaymentEvent, type PaymentRecord } from "../payment/audit/records.ts"
import { ServiceDatabaseLive } from "./database.ts"
import { EXIT, Stop } from "./exit.ts"
import { plain, printableJson } from "./text.ts"

interface Options {
  readonly id: Option.Option<string>
  readonly json: boolean
}

const time = (millis: number): string => new Date(millis).toISOString()

const line = (record: PaymentRecord): string =>
  [
    time(record.updatedAt),
    chainOf(record.network).padEnd("solana".length),
    `${formatUsd(BigInt(record.amount))} USD`,
    record.payer,
    record.reason ?? record.transaction ?? "not sent",
    record.key
  ]
    .map((part) => plain(part))
    .join("  ")

const section = (title: string, records: ReadonlyArray<PaymentRecord>): string =>
  [`${title}: ${records.length}`, ...records.map((record) => `  ${line(record)}`)].join("\n")

const story = (record: PaymentRecord, events: ReadonlyArray<PaymentEvent>): string =>
  [
    `${record.state}  ${line(record)}`,
    ...(record.proof === null ? [] : [`  proof  ${plain(record.proof)}`]),
    ...events.map(({ at, detail, event }) => `  ${time(at)}  ${event.padEnd(10)}  ${plain(detail)}`)
  ].join("\n")

const unreadable = () => new Stop({ code: EXIT.unavailable, message: "The database does not answer." })

const list = Effect.fnUntraced(function* (asJson: boolean) {
  const records = yield* makeRecords
  const unresolved = yield* records.list("settling")
  const refused = yield* records.list("refused")
  const lost = yield* records.lost
  const text = [
    section("Unresolved", unresolved),
    section("Refused", refused),
    section("Sold, and lost to a reorganisation", lost)
  ].join("\n")
  yield* Console.log(asJson ? printableJson({ unresolved, refused, lost }) : text)
})

const show = Effect.fnUntraced(function* (id: string, asJson: boolean) {
  const records = yield* makeRecords
  const found = yield* records.find(id)
  if (found.length === 0) {
    return yield* new Stop({ code: EXIT.notFound, message: "No payment has this key or transaction." })
  }
  const stories = yield* Effect.forEach(found, (payment) =>
    Effect.map(records.events(payment.key), (events) => ({ payment, events }))
  )
  const text = stories.map(({ payment, events }) => story(payment, events)).join("\n")
  yield* Console.log(asJson ? printableJson({ payments: stories }) : text)
})

/**
 * `payments`: what is unresolved, what was refused and what a reorganisation took away after it was sold; with an id, every
 * event of one payment and its proof.
 */
export const payments = ({ id, json }: Options): Effect.Effect<void, Stop> =>
  Effect.gen(function* () {
    if (Option.isNone(id)) return yield* list(json)
    return yield* show(id.value, json)
  }).pipe(
    Effect.catchTag("UpstreamError", () => Effect.fail(unreadable())),
    Effect.provide(ServiceDatabaseLive)
  )
