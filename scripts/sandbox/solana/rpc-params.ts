/** Reading JSON-RPC parameters, with a node's errors for what is wrong. */
import type { Address } from "@solana/kit"
import { isRecord } from "../../../src/domain/json.ts"
import { isAddress } from "./keys.ts"

/** An answer of the form `{ error: { code, message, data } }`. */
export class RpcError extends Error {
  readonly code: number
  readonly data: unknown
  constructor(code: number, message: string, data?: unknown) {
    super(message)
    this.code = code
    this.data = data
  }
}

/** One JSON-RPC method: its result, or an `RpcError` thrown. */
export type Method = (params: ReadonlyArray<unknown>) => unknown

export const optionsOf = (parameter: unknown): Readonly<Record<string, unknown>> =>
  isRecord(parameter) ? parameter : {}

const invalid = (what: string): RpcError => new RpcError(-32602, `Invalid params: ${what}`)

export const text = (parameter: unknown): string => {
  if (typeof parameter !== "string") throw invalid("expected a string")
  return parameter
}

export const key = (parameter: unknown): Address => {
  const value = text(parameter)
  if (!isAddress(value)) throw new RpcError(-32602, "Invalid param: Invalid")
  return value
}

export const list = (parameter: unknown, most: number): ReadonlyArray<unknown> => {
  if (!Array.isArray(parameter)) throw invalid("expected an array")
  if (parameter.length > most) throw new RpcError(-32602, `Too many inputs provided; max ${most}`)
  return parameter
}

export const wholeNumber = (parameter: unknown): number => {
  if (typeof parameter !== "number" || !Number.isSafeInteger(parameter) || parameter < 0) {
    throw invalid("expected a non-negative integer")
  }
  return parameter
}

export const numberIn = (record: Readonly<Record<string, unknown>>, name: string): number =>
  wholeNumber(record[name])
