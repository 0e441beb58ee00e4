import type { Effect } from "effect"
import { Context } from "effect"
import type { Jwks } from "../domain/attestation.ts"
import type { DeepReport, UnsignedReport } from "../domain/report.ts"

export type { Jwks } from "../domain/attestation.ts"

/** Signs reports. Keys come from the configuration, or are made on first start and kept in the database. */
export class Attestor extends Context.Tag("token-risk/Attestor")<
  Attestor,
  {
    readonly attest: (report: UnsignedReport) => Effect.Effect<DeepReport>
    /** Ed25519 over the bytes with the published signing key: 64 bytes. For what is not a report, such as webhooks. */
    readonly sign: (bytes: Uint8Array) => Uint8Array
    /** Current keys first, then retired ones that still verify. */
    readonly jwks: Jwks
  }
>() {}
