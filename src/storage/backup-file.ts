import { Data, Effect, Schema } from "effect"
import { createHash } from "node:crypto"
import { createReadStream } from "node:fs"
import { createInterface } from "node:readline"

/**
 * A backup is text, one JSON object a line: what it is, then rows of one table each, then how many there were and the
 * SHA-256 of everything before. It holds for both dialects, so it also moves a service from SQLite to PostgreSQL.
 */
const Header = Schema.Struct({
  backup: Schema.Literal("token-risk"),
  format: Schema.Literal(1),
  /** The migration whose schema the rows have. */
  migration: Schema.Int
})
const Value = Schema.NullOr(Schema.Union(Schema.String, Schema.Number))
const Name = Schema.String.pipe(Schema.pattern(/^[a-z][a-z0-9_]*$/))
const Page = Schema.Struct({
  table: Name,
  rows: Schema.Array(Schema.Record({ key: Name, value: Value }))
})
const Trailer = Schema.Struct({ end: Schema.Literal(true), rows: Schema.Int, sha256: Schema.String })

export type Header = typeof Header.Type
export type Page = typeof Page.Type
export type Trailer = typeof Trailer.Type

/** A backup could not be made, is not whole, or does not fit its target. `message` is for the operator. */
export class BackupError extends Data.TaggedError("BackupError")<{ readonly message: string }> {}

const decodeHeader = Schema.decodeUnknown(Schema.parseJson(Header))
const decodePage = Schema.decodeUnknown(Schema.parseJson(Page))
const decodeTrailer = Schema.decodeUnknown(Schema.parseJson(Trailer))

const broken = (why: string) => new BackupError({ message: `the backup cannot be used: ${why}` })

/** Lines of a file as they are read. Fails where the file does. */
const eachLine = <E>(path: string, use: (line: string) => Effect.Effect<void, E>) =>
  Effect.acquireUseRelease(
    Effect.sync(() =>
      createInterface({ input: createReadStream(path, "utf8"), crlfDelay: Number.POSITIVE_INFINITY })
    ),
    Effect.fnUntraced(function* (lines) {
      const iterator = lines[Symbol.asyncIterator]()
      for (;;) {
        const next = yield* Effect.tryPromise({
          try: () => iterator.next(),
          catch: () => broken("the file cannot be read")
        })
        if (next.done === true) return
        yield* use(next.value)
      }
    }),
    (lines) => Effect.sync(() => lines.close())
  )

/** Reads a whole backup and makes sure that nothing of it is missing or changed. Gives its header. */
export const verifyBackup = Effect.fn("Backup.verify")(function* (path: string) {
  const hash = createHash("sha256")
  let header: Header | undefined
  let held: string | undefined
  let rows = 0
  yield* eachLine(
    path,
    Effect.fnUntraced(function* (line) {
      if (held !== undefined) {
        hash.update(`${held}\n`)
        if (header === undefined) {
          header = yield* Effect.mapError(decodeHeader(held), () => broken("it is no token-risk backup"))
        } else {
          const page = yield* Effect.mapError(decodePage(held), () => broken("a line is damaged"))
          rows += page.rows.length
        }
      }
      held = line
    })
  )
  const trailer = yield* Effect.mapError(decodeTrailer(held ?? ""), () => broken("its end is missing"))
  if (header === undefined) return yield* broken("it is no token-risk backup")
  if (trailer.rows !== rows || trailer.sha256 !== hash.digest("hex")) return yield* broken("it was changed")
  return { header, rows }
})

/** The pages of a verified backup, in order. */
export const eachPage = <E>(path: string, use: (page: Page) => Effect.Effect<void, E>) =>
  eachLine(path, (line) =>
    line.startsWith('{"table":')
      ? Effect.flatMap(
          Effect.mapError(decodePage(line), () => broken("a line is damaged")),
          use
        )
      : Effect.void
  )
