import { Config } from "effect"
import { duration, wholeNumber } from "../domain/settings.ts"

/**
 * The free tier: `calls` per caller, `callsPerIp` per address and `callsGlobal` for everybody, each within one rolling
 * `window`. 0 calls turns it off. The global default bounds what invented caller ids can cost a day.
 */
export const freeTierConfig = Config.all({
  calls: wholeNumber("FREE_DEEP_CALLS", { least: 0, fallback: 3 }),
  window: duration("FREE_WINDOW", { least: "1 milli", most: "366 days", fallback: "24 hours" }),
  callsPerIp: wholeNumber("FREE_CALLS_PER_IP", { least: 0, fallback: 30 }),
  callsGlobal: wholeNumber("FREE_CALLS_GLOBAL", { least: 0, fallback: 10_000 })
})
