import { Data } from "effect"
import type { Charged } from "../client/errors.ts"

/** Exit codes, the same for every command. `--help` and the pages of the service list them. */
export const EXIT = {
  /** `safe: true`, `allow`, tradable, verified, healthy. */
  good: 0,
  /** `doctor`: at least one check failed. */
  unhealthy: 1,
  /** The command line, a key or a file cannot be used. */
  usage: 2,
  /** Nothing was paid: no wallet, over a limit, or not confirmed. */
  notPaid: 3,
  /** The service knows no pool of the token. Nothing was charged. */
  notFound: 4,
  /** The service or the network failed. A payment that was sent may still be executed: the message says so. */
  unavailable: 5,
  /** The attestation does not verify: do not act on the report. */
  notVerified: 6,
  /** The service refused the payment. */
  paymentRefused: 7,
  /** `safe: null`, `caution`: position size zero. */
  caution: 10,
  /** `safe: false`, `avoid`. */
  avoid: 20,
  /** Ended by SIGINT or SIGTERM, as shells say it: 128 + SIGINT. */
  interrupted: 130
} as const
export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

/** What `--json` calls a failure that does not come from the client. */
const NAMES: Readonly<Partial<Record<ExitCode, string>>> = {
  [EXIT.usage]: "usage",
  [EXIT.notPaid]: "policy_refused",
  [EXIT.notFound]: "token_not_found",
  [EXIT.unavailable]: "unavailable",
  [EXIT.notVerified]: "not_verified",
  [EXIT.paymentRefused]: "payment_refused",
  [EXIT.interrupted]: "interrupted"
}

/**
 * Ends a command with a code. `message` goes to stderr, or with `--json` to stdout as
 * `{"error", "code", "charged"}`; without one, the command has said what there is to say.
 */
export class Stop extends Data.TaggedError("Stop")<{
  readonly code: ExitCode
  readonly message?: string | undefined
  /** The failure's stable name, where the exit code is not enough. */
  readonly errorCode?: string | undefined
  /** `null` when it is not known whether money moved. Left out: no money moved. */
  readonly charged?: Charged | undefined
  /** The signed payment whose outcome is open; `--payment-file` and `--payment` send it again. */
  readonly payment?: string | undefined
}> {}

/** What `--json` prints for a failure. */
export interface Failure {
  readonly error: string
  readonly code: string
  readonly charged: Charged
  readonly payment?: string
}

/** What `--json` prints of a command that ended early. Nothing was charged where it does not say otherwise. */
export const failureOf = (stop: Stop): Failure => ({
  error: stop.message ?? "failed",
  code: stop.errorCode ?? NAMES[stop.code] ?? "failed",
  charged: stop.charged === undefined ? false : stop.charged,
  ...(stop.payment === undefined ? {} : { payment: stop.payment })
})
