import { Effect, Fiber } from "effect"

/**
 * Hands the same to every node: one may take what it never passes on. Done as soon as one has taken it, and whoever is slower
 * gets it all the same. Fails where none has.
 */
export const everywhere = <A, E>(sends: ReadonlyArray<Effect.Effect<A, E>>): Effect.Effect<A, E> =>
  Effect.flatMap(Effect.forEach(sends, Effect.forkDaemon), (fibers) => Effect.raceAll(fibers.map(Fiber.join)))
