import { Config, ConfigError, Duration, Either, Option, Redacted } from "effect"

/** What an operator is told of a variable: its name, and what it must be; never its value. */
export const invalid = (name: string, message: string) =>
  Either.left(ConfigError.InvalidData([name], message))

interface Whole {
  readonly noun?: string
  readonly least: number
  readonly most?: number
  readonly fallback: number
}

/**
 * Readers here take an empty variable for one that is not set, as shells and composed files leave them. The library's own
 * refuse it, or, as its integer, take it for 0, which turned the free tier off without a word.
 */
export const wholeNumber = (
  name: string,
  { fallback, least, most = Number.MAX_SAFE_INTEGER, noun = "whole number" }: Whole
): Config.Config<number> =>
  Config.nonEmptyString(name).pipe(
    Config.mapOrFail((text) => {
      const value = /^\s*\d+\s*$/.test(text) ? Number(text) : NaN
      const form = most === Number.MAX_SAFE_INTEGER ? `, ${least} or more` : ` from ${least} to ${most}`
      return Number.isSafeInteger(value) && value >= least && value <= most
        ? Either.right(value)
        : invalid(name, `must be a ${noun}${form}`)
    }),
    Config.withDefault(fallback)
  )

/** One of these words, which are of small letters, in whatever letters. */
export const word = <Word extends string>(
  name: string,
  words: ReadonlyArray<Word>,
  fallback: NoInfer<Word>
): Config.Config<Word> =>
  Config.nonEmptyString(name).pipe(
    Config.mapOrFail((text) => {
      const found = words.find((word) => word === text.toLowerCase())
      return found === undefined ? invalid(name, `must be one of ${words.join(", ")}`) : Either.right(found)
    }),
    Config.withDefault(fallback)
  )

/** In words that a variable may hold: they stand in what an operator is told. */
type Words = Extract<Duration.DurationInput, string>

interface Length {
  readonly least: Words
  readonly most: Words
  readonly fallback: Words
}

/**
 * A duration has bounds: 0 for a time limit sells nothing, and years for a lease leave a payment without its answer. The
 * library's own reader takes a negative time for 0.
 */
export const duration = (name: string, { fallback, least, most }: Length): Config.Config<Duration.Duration> =>
  Config.nonEmptyString(name).pipe(
    Config.mapOrFail((text) => {
      const value = Duration.decodeUnknown(text)
      if (Option.isNone(value)) return invalid(name, 'must be a duration, such as "30 seconds" or "24 hours"')
      return !text.startsWith("-") && Duration.between(value.value, { minimum: least, maximum: most })
        ? Either.right(value.value)
        : invalid(name, `must be a duration from ${least} to ${most}`)
    }),
    Config.withDefault(Duration.decode(fallback))
  )

/** A secret that is sent or compared as a header's value: what cannot stand in one would never arrive. */
export const headerSecret = (name: string): Config.Config<Redacted.Redacted> =>
  Config.nonEmptyString(name).pipe(
    Config.mapOrFail((text) =>
      /^[!-~](?:[ -~]*[!-~])?$/.test(text)
        ? Either.right(Redacted.make(text))
        : invalid(name, "must be printable ASCII on one line, without spaces around it")
    )
  )
