import { Data } from "effect"

/** Exit codes, the same for every command. `--help` and the README list them. */
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
  /** The service refused the payment. Nothing was charged. */
  paymentRefused: 7,
  /** `safe: null`, `caution`: position size zero. */
  caution: 10,
  /** `safe: false`, `avoid`. */
  avoid: 20,
  /** Interrupted, as shells say it: 128 + SIGINT. */
  interrupted: 130
} as const
export type ExitCode = (typeof EXIT)[keyof typeof EXIT]

/** Ends a command with a code. `message` goes to stderr; without one, the command has said what there is to say. */
export class Stop extends Data.TaggedError("Stop")<{
  readonly code: ExitCode
  readonly message?: string | undefined
}> {}
