import { Schema } from "effect"
import { lenient, ShortText } from "./lenient.ts"
import type { CalledAs } from "./market-data.ts"

/** A token's name and symbol in a third party's answer. */
export const Called = Schema.Struct({ name: lenient(ShortText), symbol: lenient(ShortText) })

/** Null where a token is given neither. */
export const calledAs = (token: typeof Called.Type | null): CalledAs | null => {
  const { name, symbol } = token ?? { name: null, symbol: null }
  return name === null && symbol === null ? null : { name: name ?? "", symbol: symbol ?? "" }
}
