import { Effect, Option } from "effect"
import { parseStrictJson } from "../domain/strict-json.ts"
import { EXIT, Stop } from "./exit.ts"
import { readInput } from "./read-input.ts"
import { plain } from "./text.ts"

/** A payment that was signed before, and is to be sent again. */
export interface Resumed {
  readonly payment?: Option.Option<string>
  readonly paymentFile?: Option.Option<string>
}

/** The payment in a text: by itself, or in what a failed command printed with `--json`. */
const paymentIn = (text: string): string | undefined => {
  const trimmed = text.trim()
  if (/^[\w+/-]+=*$/.test(trimmed)) return trimmed
  const value = parseStrictJson(trimmed)
  if (typeof value !== "object" || value === null || !("payment" in value)) return undefined
  return typeof value.payment === "string" ? value.payment : undefined
}

const fromFile = (file: string) =>
  readInput(file, "the payment").pipe(
    Effect.flatMap((text) => {
      const payment = paymentIn(text)
      const message = `${file === "-" ? "standard input" : plain(file)} holds no payment, and no failure that names one`
      return payment === undefined ? new Stop({ code: EXIT.usage, message }) : Effect.succeed(payment)
    })
  )

/** The payment to send again, if one is named: on the command line, or in a file that nobody else can read. */
export const readResumed = ({
  payment = Option.none(),
  paymentFile = Option.none()
}: Resumed): Effect.Effect<Option.Option<string>, Stop> => {
  if (Option.isNone(paymentFile)) return Effect.succeed(payment)
  return Option.isSome(payment)
    ? new Stop({ code: EXIT.usage, message: "--payment and --payment-file: name one of the two" })
    : Effect.asSome(fromFile(paymentFile.value))
}
