/** Our swap instructions against those the programs' own SDKs build for the same pools, byte for byte. */
import { readFileSync } from "node:fs"
import { describe, expect, it } from "@effect/vitest"
import { Schema } from "effect"
import type { SolanaAccount } from "../../../src/chain/chain-rpc.ts"
import { SolanaAddress } from "../../../src/domain/address.ts"
import { program } from "../../../src/screening/solana/addresses.ts"
import { decodePool } from "../../../src/screening/solana/pools/decode.ts"
import { decodeBondingCurve } from "../../../src/screening/solana/pools/layouts/pump.ts"
import type { AccountBook } from "../../../src/screening/solana/reads/account-book.ts"
import { bytesOf } from "../../../src/screening/solana/reads/bytes.ts"
import { associatedTokenAccount } from "../../../src/chain/program-address.ts"
import { swapOf } from "../../../src/screening/solana/simulation/swaps/index.ts"
import { CURVE_GLOBAL, SWAP_GLOBAL } from "../../../src/screening/solana/simulation/swaps/pump.ts"
import { account } from "../../support/solana/encode.ts"

const Base64 = Schema.Uint8ArrayFromBase64
const Recorded = Schema.Struct({
  user: SolanaAddress,
  amount: Schema.BigInt,
  limit: Schema.BigInt,
  instructions: Schema.Array(
    Schema.Struct({
      kind: Schema.String,
      sdk: Schema.String,
      file: Schema.NullOr(Schema.String),
      index: Schema.Number,
      pool: SolanaAddress,
      token: SolanaAddress,
      quote: SolanaAddress,
      tokenProgram: SolanaAddress,
      quoteProgram: SolanaAddress,
      side: Schema.Literal("buy", "sell"),
      program: SolanaAddress,
      accounts: Schema.Array(Schema.Tuple(SolanaAddress, Schema.Literal("", "w", "s", "ws"))),
      data: Schema.String,
      global: Schema.optional(Base64),
      patch: Schema.optional(Schema.Array(Schema.Tuple(Schema.Number, Schema.Number))),
      bytes: Schema.optional(Base64),
      vaults: Schema.optional(Schema.Record({ key: SolanaAddress, value: Base64 }))
    })
  )
})
const Dumps = Schema.Record({
  key: Schema.String,
  value: Schema.Array(
    Schema.Struct({ pubkey: Schema.NullOr(SolanaAddress), owner: SolanaAddress, data: Base64 })
  )
})
const load = (name: string) =>
  readFileSync(new URL(`../../support/solana/${name}.json`, import.meta.url), "utf8")
const recorded = Schema.decodeUnknownSync(Schema.parseJson(Recorded))(load("sdk-instructions"))
const dumps = Schema.decodeUnknownSync(Schema.parseJson(Dumps))(load("real-accounts"))

type Row = (typeof recorded.instructions)[number]

const poolAccount = (row: Row): SolanaAccount => {
  if (row.bytes !== undefined) return account(row.program, row.bytes)
  const dump = dumps[row.file ?? ""]?.[row.index]
  if (dump === undefined) throw new Error("no dump")
  const data = Uint8Array.from(dump.data)
  for (const [offset, byte] of row.patch ?? []) data[offset] = byte
  return account(dump.owner, data)
}

const bookOf = (row: Row): AccountBook => {
  const global = row.global === undefined ? [] : [account(row.program, row.global)]
  return new Map([
    ...(dumps[row.file ?? ""] ?? []).flatMap(({ data, owner, pubkey }) =>
      pubkey === null ? [] : [[pubkey, account(owner, data)] as const]
    ),
    ...global.map((one) => [row.kind === "pumpswap" ? SWAP_GLOBAL : CURVE_GLOBAL, one] as const),
    ...Object.entries(row.vaults ?? {}).map(
      ([address, data]) => [SolanaAddress.make(address), account(program.meteoraVault, data)] as const
    )
  ])
}

const built = (row: Row) => {
  const found = poolAccount(row)
  const book = bookOf(row)
  const pool =
    row.kind === "pump-curve"
      ? decodeBondingCurve(found, null)?.pool
      : decodePool(row.pool, found, row.token, book)
  if (pool == null) throw new Error(`${row.kind} did not decode`)
  const swap = swapOf({ ...row, address: row.pool, pool, bytes: bytesOf(found.data), book })
  if (swap === null) throw new Error(`no swap for ${row.kind}`)
  const { user } = recorded
  const trader = {
    wallet: user,
    tokenAccount: associatedTokenAccount(user, row.token, row.tokenProgram),
    quoteAccount: associatedTokenAccount(user, row.quote, row.quoteProgram)
  }
  return swap[row.side](trader, recorded.amount, recorded.limit)
}

describe("an instruction of ours is the SDK's own, byte for byte", () => {
  recorded.instructions.forEach((row, index) => {
    it(`${row.sdk}: ${row.kind}, ${row.side} (${index})`, () => {
      const instruction = built(row)
      expect(instruction.program).toBe(row.program)
      expect(instruction.accounts).toEqual(row.accounts)
      expect(Buffer.from(instruction.data).toString("hex")).toBe(row.data)
    })
  })

  it("for every program whose pools are traded", () => {
    expect(new Set(recorded.instructions.map(({ kind }) => kind)).size).toBe(11)
  })
})
