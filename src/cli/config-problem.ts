import type { ConfigError } from "effect"

/** What is wrong with a variable, in words for operators; never its value. */
export const problemOf = (variable: string, error: ConfigError.ConfigError): string =>
  `${variable} ${error._op === "InvalidData" ? error.message : "cannot be read"}`
