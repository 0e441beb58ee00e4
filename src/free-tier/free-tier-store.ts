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
 * slot, and is given back when the call fails.
 */
export class FreeTierStore extends Context.Tag("token-risk/FreeTierStore")<
  FreeTierStore,
  {
    /** A reservation's id, or none when the caller, its address or everybody has used up the window. */
    readonly reserve: (caller: FreeCaller) => Effect.Effect<Option.Option<string>, UpstreamError>
    readonly release: (reservation: string) => Effect.Effect<void, UpstreamError>
  }
>() {}
