import { Config, Duration, Schema } from "effect"

const count = (name: string) =>
  Schema.Config(name, Schema.NumberFromString.pipe(Schema.int(), Schema.between(1, 1e6)))

/**
 * `CACHE_TTL`: life of a screening in the cache. `CACHE_CAPACITY`: screenings kept. `SCREENING_TIMEOUT`: longest a
 * screening may take, waiting for its turn included. `SCREENING_CONCURRENCY`: screenings that run at once.
 */
export const screenerConfig = Config.all({
  cacheTtl: Config.duration("CACHE_TTL").pipe(Config.withDefault(Duration.seconds(30))),
  cacheCapacity: count("CACHE_CAPACITY").pipe(Config.withDefault(2_000)),
  timeout: Config.duration("SCREENING_TIMEOUT").pipe(Config.withDefault(Duration.seconds(12))),
  concurrency: count("SCREENING_CONCURRENCY").pipe(Config.withDefault(32))
})
export type ScreenerSettings = Config.Config.Success<typeof screenerConfig>
