import type { Effect, Option } from "effect"
import { Context } from "effect"
import type { UpstreamError } from "../domain/errors.ts"

/** Who asks for a free call. `ip` bounds invented client ids. */
export interface FreeCaller {
  readonly clientId: string
  readonly ip: string
}

/**
 * Free calls per caller in a rolling window. A reservation counts at once, so that parallel calls cannot share a
 * slot, and is given back when the call fails. It is kept when the service is killed; of the last ones before a power
 * failure some may be forgotten, and their callers have them once more: see `storage/unsynced.ts`.
 */
export class FreeTierStore extends Context.Tag("token-risk/FreeTierStore")<
  FreeTierStore,
  {
    /** A reservation's id, or none when the caller, its address or everybody has used up the window. */
    readonly reserve: (caller: FreeCaller) => Effect.Effect<Option.Option<string>, UpstreamError>
    /** The same for callers who come together, one after another, in one transaction: all are counted, or none. */
    readonly reserveAll: (
      callers: ReadonlyArray<FreeCaller>
    ) => Effect.Effect<ReadonlyArray<Option.Option<string>>, UpstreamError>
    readonly release: (reservation: string) => Effect.Effect<void, UpstreamError>
  }
>() {}
