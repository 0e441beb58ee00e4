import type { CallLimits, Deadline } from "./deadline.ts"
import { isTimeout, startDeadline } from "./deadline.ts"
import { InvalidRequest } from "./errors.ts"
import type { Exchanged } from "./outcome.ts"
import { deliver } from "./outcome.ts"
import type { Payer } from "./pay.ts"
import { payFor } from "./pay.ts"
import type { Token } from "./token.ts"
import type { Call } from "./transport.ts"

/** One answer to buy. */
interface Purchase {
  readonly path: string
  readonly token: Token
  readonly headers: Readonly<Record<string, string>>
  /** A payment that was signed for exactly this request: it is sent first. */
  readonly payment: string | undefined
}

/** Buys answers of one service, each within the limits of its call. */
export interface Buyer {
  /** Runs within the limits, which end with it. */
  readonly within: <A>(limits: CallLimits, run: (deadline: Deadline) => Promise<A>) => Promise<A>
  readonly buy: (purchase: Purchase, deadline: Deadline) => Promise<Exchanged>
}

/** Throws `InvalidRequest` where a time limit is none. */
export const checkTimeout = (timeoutMs: number | undefined): void => {
  if (timeoutMs !== undefined && !isTimeout(timeoutMs))
    throw new InvalidRequest("timeoutMs must be a number of milliseconds above 0")
}

/** `defaultTimeoutMs` holds for calls that name none. */
export const makeBuyer = (payer: Payer, origin: string, defaultTimeoutMs: number | undefined): Buyer => ({
  within: async (limits, run) => {
    const timeoutMs = limits.timeoutMs ?? defaultTimeoutMs
    checkTimeout(timeoutMs)
    const deadline = startDeadline({ signal: limits.signal, timeoutMs })
    try {
      const over = deadline.over(false)
      if (over !== undefined) throw over
      return await run(deadline)
    } finally {
      deadline.end()
    }
  },
  buy: async ({ headers, path, payment, token }, deadline) => {
    const call: Call = {
      url: origin + path,
      method: "POST",
      headers: { "content-type": "application/json", ...headers },
      body: JSON.stringify(token)
    }
    return deliver(await payFor(payer, call, deadline, payment), call.url, deadline)
  }
})
