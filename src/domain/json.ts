/** A value that JSON can say. */
export type Json = string | number | boolean | null | ReadonlyArray<Json> | JsonObject
export type JsonObject = { readonly [key: string]: Json }

/** An object of JSON, which has members; an array has none. */
export const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === "object" && value !== null && !Array.isArray(value)
