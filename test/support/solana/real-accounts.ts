/** Accounts of mainnet as nodes returned them. */
import { readFileSync } from "node:fs"
import { Schema } from "effect"
import type { SolanaAccount } from "../../../src/chain/chain-rpc.ts"
import { SolanaAddress } from "../../../src/domain/address.ts"
import { wallet } from "./encode.ts"

const File = Schema.Record({
  key: Schema.String,
  value: Schema.Array(
    Schema.Struct({
      pubkey: Schema.NullOr(SolanaAddress),
      owner: SolanaAddress,
      lamports: Schema.Number,
      data: Schema.Uint8ArrayFromBase64
    })
  )
})
const path = new URL("real-accounts.json", import.meta.url)
/** Accounts of mainnet by program, as nodes returned them. */
export const files = Schema.decodeUnknownSync(Schema.parseJson(File))(readFileSync(path, "utf8"))

export const entry = (file: string, index: number) => {
  const found = files[file]?.[index]
  if (found === undefined) throw new Error(`no ${file} ${index}`)
  const account: SolanaAccount = {
    owner: found.owner,
    data: found.data,
    lamports: BigInt(found.lamports),
    space: found.data.length
  }
  return { address: found.pubkey ?? wallet(`unnamed ${file} ${index}`), account }
}
