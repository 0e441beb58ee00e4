import { it } from "@effect/vitest"
import type { Layer, TestServices } from "effect"
import { Effect, TestClock } from "effect"
import type { YieldWrap } from "effect/Utils"
import { NOW } from "../now.ts"
import { LocalSandbox } from "../sandbox.ts"
import { shop } from "./shop.ts"

export { NOW }
export const START = TestClock.setTime(NOW)

type Shop = Layer.Layer.Success<ReturnType<typeof shop>>

/** The body of a test, as `Effect.gen` takes it. */
type Body<Services> = () => Generator<YieldWrap<Effect.Effect<unknown, unknown, Services>>, void, never>

/** A test in a shop of its own, whose clock stands at {@link NOW}. */
export const inShop = (
  claim: string,
  body: Body<Shop | TestServices.TestServices>,
  ...settings: Parameters<typeof shop>
): void =>
  it.effect(claim, () => START.pipe(Effect.zipRight(Effect.gen(body)), Effect.provide(shop(...settings))))

/** The same with the clock of the world. */
export const inLiveShop = (claim: string, body: Body<Shop>, ...settings: Parameters<typeof shop>): void =>
  it.live(claim, () => Effect.gen(body).pipe(Effect.provide(shop(...settings))))

/** In a shop on the sandbox's chains. */
export const inSandboxShop = <A, E, R>(effect: Effect.Effect<A, E, R>) =>
  Effect.flatMap(LocalSandbox, ({ base, solana }) =>
    Effect.provide(effect, shop({ BASE_RPC_URL: base.url, SOLANA_RPC_URL: solana.url }))
  )
