import { Duration, Effect } from "effect"
import { lasts } from "../domain/lasts.ts"
import { atNow } from "../domain/now.ts"

/** Which endpoints are asked first: those that failed a moment ago are left for last. */
export interface EndpointRest {
  /** Positions of all endpoints, in the order in which these methods should be tried. */
  readonly order: (methods: ReadonlyArray<string>) => Effect.Effect<ReadonlyArray<number>>
  /** A failed method rests alone: a node that limits one expensive method still answers the others. */
  readonly rest: (endpoint: number, method: string, what: "endpoint" | "method") => Effect.Effect<void>
}

/** For so many endpoints. `cooldown`: how long one rests that failed. */
export const makeEndpointRest = (
  count: number,
  cooldown: Duration.DurationInput
): Effect.Effect<EndpointRest> =>
  Effect.sync(() => {
    const restingUntil = new Map<string, number>()
    const longest = Duration.toMillis(cooldown)
    const all = Array.from({ length: count }, (_, endpoint) => endpoint)
    const keyOf = (endpoint: number, method = "") => `${endpoint} ${method}`
    return {
      order: (methods) =>
        atNow((now) => {
          if (restingUntil.size === 0) return all
          const rests = (key: string) => lasts(restingUntil.get(key) ?? 0, longest, now)
          const isResting = (endpoint: number) =>
            rests(keyOf(endpoint)) || methods.some((method) => rests(keyOf(endpoint, method)))
          return [...all.filter((endpoint) => !isResting(endpoint)), ...all.filter(isResting)]
        }),
      rest: (endpoint, method, what) =>
        atNow((now) => {
          restingUntil.set(keyOf(endpoint, what === "method" ? method : undefined), now + longest)
        })
    }
  })
