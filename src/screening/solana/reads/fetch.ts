import { Effect, Either } from "effect"
import type { SolanaAddress } from "../../../domain/address.ts"
import type { UpstreamError } from "../../../domain/errors.ts"
import { ScreeningUnavailable } from "../../../domain/errors.ts"
import type { Fact } from "../../../domain/fact.ts"
import { known, missing } from "../../../domain/fact.ts"
import type { AccountBook } from "./account-book.ts"
import { addRead, unread } from "./account-book.ts"
import type { Upstreams } from "./reads.ts"

/** A node takes no more addresses in one call. */
const MAX_READ = 100

/** What an upstream answered, or that it did not answer, which is logged. */
export const factOf = <A>(effect: Effect.Effect<A, UpstreamError>, why: string): Effect.Effect<Fact<A>> =>
  Effect.either(effect).pipe(
    Effect.tap((outcome) =>
      Either.isLeft(outcome)
        ? Effect.logDebug("source missing").pipe(
            Effect.annotateLogs({
              upstream: outcome.left.upstream,
              kind: outcome.left.kind,
              detail: outcome.left.detail
            })
          )
        : Effect.void
    ),
    Effect.map(Either.match({ onLeft: () => missing(why), onRight: (value) => known(value) }))
  )

const orUnavailable = <A>(effect: Effect.Effect<A, UpstreamError>) =>
  effect.pipe(
    Effect.tapError((error) =>
      Effect.logWarning("solana-rpc failed").pipe(Effect.annotateLogs("detail", error.detail))
    ),
    Effect.mapError(() => new ScreeningUnavailable({ upstream: "solana-rpc" }))
  )

/**
 * The book with these accounts added, cut to `length` bytes; those already in it with as many are not asked for again. However many
 * there are, they cost one wave: calls of 100 run side by side.
 */
export const readInto = Effect.fn("SolanaPlan.read")(function* (
  up: Upstreams,
  book: AccountBook,
  addresses: ReadonlyArray<SolanaAddress>,
  length: number
) {
  const wanted = unread(book, addresses, length)
  const chunks = Array.from({ length: Math.ceil(wanted.length / MAX_READ) }, (_, index) =>
    wanted.slice(index * MAX_READ, (index + 1) * MAX_READ)
  )
  const answers = yield* Effect.forEach(
    chunks,
    (chunk) => orUnavailable(up.rpc.getAccounts(chunk, { slice: { offset: 0, length } })),
    { concurrency: "unbounded" }
  )
  return {
    slot: answers[0]?.slot ?? 0n,
    book: answers.reduce((sum, { accounts }, index) => addRead(sum, chunks[index] ?? [], accounts), book)
  }
})
