import type { ConfigError } from "effect"

/** A combinator may have named the variable again, or not at all; then the message names it. */
const named = (path: ReadonlyArray<string>, message: string): string => {
  const name = [...new Set(path)].join("_")
  return name === "" ? message : `${name}: ${message}`
}

const lines = (error: ConfigError.ConfigError): ReadonlyArray<string> => {
  switch (error._op) {
    case "And":
    case "Or":
      return [...lines(error.left), ...lines(error.right)]
    case "MissingData":
      return [
        named(error.path, error.message.startsWith("Expected") ? "is required and not set" : error.message)
      ]
    case "InvalidData":
      return [named(error.path, error.message)]
    case "SourceUnavailable":
    case "Unsupported":
      return [named(error.path, "cannot be read")]
  }
}

/**
 * One line per variable that is missing or wrong, however many parts of the configuration read it. Our own texts;
 * secrets are never in them.
 */
export const describeConfigError = (error: ConfigError.ConfigError): ReadonlyArray<string> => [
  ...new Set(lines(error))
]
