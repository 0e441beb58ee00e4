import { Config } from "effect"
import { duration, wholeNumber } from "../domain/settings.ts"

/**
 * `CACHE_TTL`: life of a screening in the cache. `CACHE_CAPACITY`: screenings kept. `SCREENING_TIMEOUT`: longest a
 * screening may take, waiting for its turn included. `SCREENING_CONCURRENCY`: screenings that run at once.
 */
export const screenerConfig = Config.all({
  cacheTtl: duration("CACHE_TTL", { least: "0 millis", most: "1 day", fallback: "30 seconds" }),
  cacheCapacity: wholeNumber("CACHE_CAPACITY", { least: 1, most: 1_000_000, fallback: 2_000 }),
  timeout: duration("SCREENING_TIMEOUT", { least: "10 millis", most: "5 minutes", fallback: "12 seconds" }),
  concurrency: wholeNumber("SCREENING_CONCURRENCY", { least: 1, most: 10_000, fallback: 32 })
})
export type ScreenerSettings = Config.Config.Success<typeof screenerConfig>
