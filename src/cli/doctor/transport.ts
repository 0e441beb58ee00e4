import { Clock, Effect } from "effect"
import { OPERATIONS } from "../../domain/catalog.ts"
import type { CheckResult } from "./check-result.ts"
import { fail, checkResult, ok, warn } from "./check-result.ts"
import type { Site } from "./site.ts"

/**
 * Clock difference in seconds: up to the first clients' short validity windows still work, from the second on they do
 * not.
 */
const CLOCK_WARN = 5
const CLOCK_FAIL = 30

const isLocal = (origin: string): boolean => /^(?:127\.|localhost$|\[::1\]$)/.test(new URL(origin).hostname)

const encryption = (site: Site): CheckResult => {
  if (site.origin.startsWith("https:")) return ok("TLS", "https")
  return isLocal(site.origin)
    ? ok("TLS", "none, on this machine")
    : warn("TLS", "http: payments and reports can be read and replaced on the way, and no index lists it")
}

const clock = (site: Site) =>
  Effect.gen(function* () {
    const { headers } = yield* site.ask("/healthz")
    const date = Date.parse(headers.get("date") ?? "")
    if (Number.isNaN(date)) return warn("clock", "answers carry no Date")
    const seconds = Math.round(Math.abs((yield* Clock.currentTimeMillis) - date) / 1_000)
    const detail = `${seconds} s from this machine's`
    if (seconds > CLOCK_FAIL) return fail("clock", `${detail}: payments will look expired or not yet valid`)
    return seconds > CLOCK_WARN ? warn("clock", detail) : ok("clock", detail)
  }).pipe(Effect.catchAll(() => Effect.succeed(fail("clock", "no answer"))))

/** Headers for which browsers ask permission; the official fetch client sends the last one as a request header. */
const ASKED = ["content-type", "payment-signature", "x-client-id", "access-control-expose-headers"]
const EXPOSED = ["payment-required", "payment-response"]

const listed = (value: string | null): ReadonlyArray<string> =>
  (value ?? "").split(",").map((name) => name.trim().toLowerCase())

const cors = (site: Site) => {
  const origin = "https://agent.example"
  const { path } = OPERATIONS.check_token_safety_ping
  const preflight = site.ask(path, {
    method: "OPTIONS",
    headers: {
      origin,
      "access-control-request-method": "POST",
      "access-control-request-headers": ASKED.join(",")
    }
  })
  const request = site.ask(path, { method: "POST", headers: { origin } })
  return Effect.zip(preflight, request, { concurrent: true }).pipe(
    Effect.map(([asked, answered]) => {
      const allowed = listed(asked.headers.get("access-control-allow-headers"))
      const exposed = listed(answered.headers.get("access-control-expose-headers"))
      return checkResult(
        "CORS",
        [
          ...(asked.status < 300 ? [] : [`preflight answers ${asked.status}`]),
          ...(["*", origin].includes(answered.headers.get("access-control-allow-origin") ?? "")
            ? []
            : ["pages of other origins are not let in"]),
          ...ASKED.filter((name) => !allowed.includes(name)).map((name) => `header ${name} is not allowed`),
          ...EXPOSED.filter((name) => !exposed.includes(name)).map((name) => `header ${name} is not exposed`)
        ],
        "agents in browsers can pay"
      )
    }),
    Effect.catchAll(() => Effect.succeed(fail("CORS", "no answer")))
  )
}

/** How the deployment is reached: encryption, clock, permission for browsers. */
export const checkTransport = (site: Site) =>
  Effect.map(Effect.all([clock(site), cors(site)], { concurrency: 2 }), (found) => [
    encryption(site),
    ...found
  ])
