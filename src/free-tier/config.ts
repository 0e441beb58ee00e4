import { Config, ConfigError, Duration, Either } from "effect"

/** Not the library's integer: that takes an empty variable for 0, which would turn the free tier off without a word. */
const count = (name: string, fallback: number) =>
  Config.nonEmptyString(name).pipe(
    Config.mapOrFail((text) => {
      const value = text.trim() === "" ? NaN : Number(text)
      return Number.isSafeInteger(value) && value >= 0
        ? Either.right(value)
        : Either.left(ConfigError.InvalidData([name], "must be a whole number, 0 or more"))
    }),
    Config.withDefault(fallback)
  )

const LONGEST = Duration.days(366)

const window = Config.duration("FREE_WINDOW").pipe(
  Config.mapOrFail((value) =>
    Duration.greaterThan(value, Duration.zero) && Duration.lessThanOrEqualTo(value, LONGEST)
      ? Either.right(value)
      : Either.left(ConfigError.InvalidData(["FREE_WINDOW"], "must be a duration between 0 and 366 days"))
  ),
  Config.withDefault(Duration.hours(24))
)

/**
 * The free tier: `calls` per caller, `callsPerIp` per address and `callsGlobal` for everybody, each within one rolling
 * `window`. 0 calls turns it off. The global default bounds what invented caller ids can cost a day.
 */
export const freeTierConfig = Config.all({
  calls: count("FREE_DEEP_CALLS", 3),
  window,
  callsPerIp: count("FREE_CALLS_PER_IP", 30),
  callsGlobal: count("FREE_CALLS_GLOBAL", 10_000)
})
