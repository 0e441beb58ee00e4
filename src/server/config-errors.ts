import type { ConfigError } from "effect"

/** One line per variable that is missing or wrong. Names only and our own texts: a value may be a secret. */
export const describeConfigError = (error: ConfigError.ConfigError): ReadonlyArray<string> => {
  switch (error._op) {
    case "And":
    case "Or":
      return [...describeConfigError(error.left), ...describeConfigError(error.right)]
    case "MissingData":
      return [
        `${error.path.join("_")}: ${error.message.startsWith("Expected") ? "is required and not set" : error.message}`
      ]
    case "InvalidData":
      return [`${error.path.join("_")}: ${error.message}`]
    case "SourceUnavailable":
    case "Unsupported":
      return [`${error.path.join("_")}: cannot be read`]
  }
}
