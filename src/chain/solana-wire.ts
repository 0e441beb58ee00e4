/** What Solana's nodes answer, as it travels. */
import { Option, ParseResult, Schema } from "effect"
import { SolanaAddress } from "../domain/address.ts"
import type { SolanaAccount, SolanaSimulation } from "./chain-rpc.ts"

/** A slot, a height, a time, a position: a number, or the text the transport makes of one that is too large. */
export const Whole = Schema.Union(Schema.Number, Schema.NumberFromString).pipe(
  Schema.int(),
  Schema.nonNegative()
)

/** A u64: a safe JSON number, or the text the transport makes of an unsafe one. */
const U64 = Schema.transformOrFail(
  Schema.Union(Schema.Number, Schema.String),
  Schema.BigIntFromSelf.pipe(Schema.betweenBigInt(0n, 18_446_744_073_709_551_615n)),
  {
    strict: true,
    decode: (input, _options, ast) =>
      typeof input === "string" ? parseDigits(input, ast) : parseSafe(input, ast),
    encode: (value) => ParseResult.succeed(value.toString())
  }
)
const parseDigits = (text: string, ast: Schema.Schema.Any["ast"]) =>
  /^[0-9]{1,20}$/.test(text)
    ? ParseResult.succeed(BigInt(text))
    : ParseResult.fail(new ParseResult.Type(ast, text, "must be a u64"))
const parseSafe = (number: number, ast: Schema.Schema.Any["ast"]) =>
  Number.isSafeInteger(number) && number >= 0
    ? ParseResult.succeed(BigInt(number))
    : ParseResult.fail(new ParseResult.Type(ast, number, "must be a u64"))

const Context = Schema.Struct({ slot: U64 })

const AccountWire = Schema.Struct({
  owner: SolanaAddress,
  lamports: U64,
  data: Schema.Tuple(Schema.Uint8ArrayFromBase64, Schema.Literal("base64")),
  space: Schema.optional(Schema.NonNegative)
})

/** In their order; null where there is none. */
export const MultipleAccounts = Schema.Struct({
  context: Context,
  value: Schema.Array(Schema.NullOr(AccountWire))
})

/** A node lists twenty at most, each once: one that is named twice stands where another should, and would count twice. */
export const LargestAccounts = Schema.Struct({
  context: Context,
  value: Schema.Array(Schema.Struct({ address: SolanaAddress, amount: U64 })).pipe(
    Schema.maxItems(20),
    Schema.filter((list) => new Set(list.map(({ address }) => address)).size === list.length)
  )
})

const ProgramAccount = Schema.Struct({ pubkey: SolanaAddress, account: AccountWire })
/** What a program has. */
export const ProgramAccounts = Schema.Struct({ context: Context, value: Schema.Array(ProgramAccount) })
/** Of a server that does not know how to name its slot. */
export const BareProgramAccounts = Schema.Array(ProgramAccount)

/** `{"InstructionError":[2,{"Custom":6001}]}`, `{"InstructionError":[0,"InvalidArgument"]}`, or a bare name. */
const InstructionFailure = Schema.Struct({
  InstructionError: Schema.Tuple(
    Schema.NonNegative,
    Schema.Union(Schema.String, Schema.Record({ key: Schema.String, value: Schema.Unknown }))
  )
})
const decodeInstructionFailure = Schema.decodeUnknownOption(InstructionFailure)

/** What a transaction did. `err` is there, and null, where it succeeded: an answer without it says nothing. */
export const SimulationWire = Schema.Struct({
  context: Context,
  value: Schema.Struct({
    err: Schema.NullOr(
      Schema.Union(Schema.String, Schema.Record({ key: Schema.String, value: Schema.Unknown }))
    ),
    logs: Schema.optional(Schema.NullOr(Schema.Array(Schema.String).pipe(Schema.maxItems(10_000)))),
    accounts: Schema.optional(Schema.NullOr(Schema.Array(Schema.NullOr(AccountWire)))),
    unitsConsumed: Schema.optional(Schema.NullOr(U64))
  })
}).pipe(
  // Whatever succeeds leaves logs and uses compute. A node that names neither has only looked at the transaction.
  Schema.filter(
    ({ value: { err, logs, unitsConsumed } }) =>
      err !== null || (logs ?? []).length > 0 || (unitsConsumed ?? 0n) > 0n
  )
)

/** An error's name without its details, short and printable. */
const nameOf = (error: unknown): string => {
  const name = typeof error === "string" ? error : Object.keys(Object(error))[0]
  return (name ?? "unknown").replace(/[^A-Za-z0-9]/g, "").slice(0, 64)
}

/** What a transaction failed with, short and printable; null where it succeeded. */
export const failureOf = (error: unknown): SolanaSimulation["failure"] => {
  if (error === null) return null
  const inside = Option.getOrNull(decodeInstructionFailure(error))
  if (inside === null) return { instruction: null, code: nameOf(error) }
  const [instruction, detail] = inside.InstructionError
  const custom = typeof detail === "string" ? undefined : detail["Custom"]
  return { instruction, code: typeof custom === "number" ? `Custom${custom}` : nameOf(detail) }
}

/** A node that knows no `dataSlice` sends the whole account: the slice is cut here, so that both look alike. */
export const toAccount = (
  wire: typeof AccountWire.Type,
  slice: { readonly offset: number; readonly length: number } | undefined
): SolanaAccount => {
  const [received] = wire.data
  const space = wire.space ?? received.length
  const isWhole = slice !== undefined && received.length === space && received.length > slice.length
  const data = isWhole ? received.subarray(slice.offset, slice.offset + slice.length) : received
  return { owner: wire.owner, lamports: wire.lamports, data, space }
}

/** Whether all came of an account that was asked for: what a decoder does not find in it would pass for not being there. */
export const isComplete = (
  { data: [received], space }: typeof AccountWire.Type,
  slice: { readonly offset: number; readonly length: number } | undefined
): boolean => {
  if (space === undefined) return true
  const wanted = slice === undefined ? space : Math.min(slice.length, space - slice.offset)
  return received.length >= wanted
}
