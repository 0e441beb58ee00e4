import { Effect, FiberRef, type Tracer } from "effect"

/**
 * A span where traces are taken, and nothing where they are not: the library makes, fills and closes a span that nobody
 * will see, which on the way of a sale costs as much as its signatures. For that way; elsewhere `Effect.fn` is shorter.
 */
export const span =
  (name: string, options?: Tracer.SpanOptions) =>
  <A, E, R>(effect: Effect.Effect<A, E, R>): Effect.Effect<A, E, R> =>
    Effect.withFiberRuntime((fiber) =>
      fiber.getFiberRef(FiberRef.currentTracerEnabled) ? Effect.withSpan(effect, name, options) : effect
    )
