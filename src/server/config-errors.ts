import type { ConfigError } from "effect"

/** A combinator may have named the variable again, or not at all; then the message names it. */
const named = (path: ReadonlyArray<string>, message: string): string => {
  const name = [...new Set(path)].join("_")
  return name === "" ? message : `${name}: ${message}`
}

/** What the libraries say of a wrong form, in words that tell what to write. Our own texts never repeat the value. */
const FORMS: ReadonlyArray<readonly [theirs: RegExp, ours: string]> = [
  [/^Expected a network port/, "must be a port from 1 to 65535"],
  [/^Expected a boolean/, "must be true or false"],
  [/^Expected a Date/, "must be an instant, such as 2026-11-24T12:00:00Z"],
  [/^Expected an integer|^Unable to decode .* into a number/, "must be a whole number"],
  [/^Expected a (?:number|float)/, "must be a number"],
  [/^Expected a non-empty string/, "must not be empty"]
]

const CHOICE = /^Expected one of \(([^)]*)\)/

/** Schema draws a tree; its last line says what was expected. */
const shortened = (message: string): string => {
  const last = (message.split("\n").at(-1) ?? "").replace(/^[\s└─]+/, "")
  const choices = CHOICE.exec(last)?.[1]
  if (choices !== undefined) return `must be one of ${choices}`
  return FORMS.find(([theirs]) => theirs.test(last))?.[1] ?? last
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
      return [named(error.path, shortened(error.message))]
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
