import type { Effect } from "effect"
import { Context } from "effect"
import type { DeepReport, UnsignedReport } from "../domain/report.ts"

/** A public key set (RFC 7517). The HMAC key is published on purpose: its tag proves integrity, not origin. */
export interface Jwks {
  readonly keys: ReadonlyArray<Readonly<Record<string, string>>>
}

/** Signs reports. Keys come from the configuration, or are made on first start and kept in the database. */
export class Attestor extends Context.Tag("Attestor")<
  Attestor,
  {
    readonly attest: (report: UnsignedReport) => Effect.Effect<DeepReport>
    /** Current keys first, then retired ones that still verify. */
    readonly jwks: Jwks
  }
>() {}
