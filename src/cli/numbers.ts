const UNITS: ReadonlyMap<string, number> = new Map([
  ["ms", 1],
  ["s", 1_000],
  ["m", 60_000],
  ["h", 3_600_000]
])

/** Seconds to milliseconds: `10`, `2.5`, `10s`, `500ms`, `5m`. More than zero, at most a day; `undefined` otherwise. */
export const parseDuration = (text: string): number | undefined => {
  const [, digits, unit = "s"] = /^(\d{1,6}(?:\.\d{1,3})?)(ms|s|m|h)?$/.exec(text) ?? []
  if (digits === undefined) return undefined
  const millis = Number(digits) * (UNITS.get(unit) ?? 0)
  return millis >= 1 && millis <= 86_400_000 ? Math.round(millis) : undefined
}

/** A whole number from 1 to `max`; `undefined` for any other text. */
export const parseCount = (text: string, max: number): number | undefined => {
  const value = /^[1-9]\d{0,8}$/.test(text) ? Number(text) : undefined
  return value !== undefined && value <= max ? value : undefined
}
