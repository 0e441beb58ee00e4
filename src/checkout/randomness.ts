import { Context, Effect, Layer } from "effect"
import { randomBytes } from "node:crypto"

/** Unguessable bytes for ids and secrets; Effect's own Random is seedable and not for secrets. */
export class Randomness extends Context.Tag("token-risk/Randomness")<
  Randomness,
  { readonly bytes: (length: number) => Effect.Effect<Buffer> }
>() {}

/** The operating system's generator. */
export const RandomnessLive = Layer.succeed(Randomness, {
  bytes: (length) => Effect.sync(() => randomBytes(length))
})
