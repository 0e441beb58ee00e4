import { Console, Effect, Option } from "effect"
import { verifyReport } from "../domain/attestation.ts"
import { isRecord } from "../domain/json.ts"
import { parseStrictJson } from "../domain/strict-json.ts"
import { Display } from "./display.ts"
import { EXIT, Stop } from "./exit.ts"
import { readJwks } from "./jwks.ts"
import { paintFor } from "./paint.ts"
import { readInput } from "./read-input.ts"
import { plain, printableJson } from "./text.ts"

interface VerifyOptions {
  readonly file: string
  readonly jwks: Option.Option<string>
  readonly url: string
  readonly json: boolean
}

/** The report in a file: by itself, or in what `deep --json` or `screen --json` printed. */
const reportIn = (value: unknown): unknown => {
  if (!isRecord(value) || "attestation" in value) return value
  if ("deep" in value) return reportIn(value["deep"])
  return "result" in value ? reportIn(value["result"]) : value
}

const readReport = (file: string) =>
  readInput(file, "the report").pipe(
    Effect.flatMap((text) => {
      const value = parseStrictJson(text)
      return value === undefined
        ? new Stop({
            code: EXIT.notVerified,
            // Two readers of such a text may see two different reports, of which only one was signed.
            message: `${plain(file)} is not JSON, or an object in it has the same key twice`
          })
        : Effect.succeed(reportIn(value))
    })
  )

/** `verify`: says whether the file holds a report exactly as the owner of the keys made it. */
export const verify = Effect.fnUntraced(function* (options: VerifyOptions) {
  const paint = paintFor((yield* Display).color)
  const keys = Option.getOrElse(options.jwks, () => `${options.url}/.well-known/jwks.json`)
  const report = yield* readReport(options.file)
  const verified = yield* verifyReport(report, yield* readJwks(keys)).pipe(
    Effect.mapError(
      ({ message, reason }) =>
        new Stop({ code: EXIT.notVerified, message: `NOT VERIFIED (${reason}). ${message}` })
    )
  )
  const { address, attestation, chain, fetchedAt, score, verdict } = verified
  const facts = { chain, address, verdict, score, fetchedAt, keyId: attestation.keyId }
  if (options.json) return yield* Console.log(printableJson({ verified: true, ...facts }))
  yield* Console.log(
    [
      `${paint.green(paint.bold("VERIFIED"))}  exactly as signed, nothing was changed`,
      `  token    ${plain(chain)} ${plain(address, 60)}`,
      `  verdict  ${verdict}, score ${score} of 100`,
      `  made     ${new Date(fetchedAt).toUTCString()}`,
      `  key      ${plain(attestation.keyId, 60)}`,
      `  from     ${plain(keys)}`
    ].join("\n")
  )
})
