/** Accounts in the encodings of a Solana node. */
import type { Address, EncodedAccount } from "@solana/kit"
import { getBase58Decoder } from "@solana/kit"
import { isRecord } from "../../../src/domain/json.ts"
import { RpcError, numberIn, optionsOf } from "./rpc-params.ts"
import type { Ledger } from "./ledger.ts"
import * as at from "./addresses.ts"
import { readMint, readTokenAccount, tokenAmountJson } from "./token-balance.ts"

const RENT_EPOCH = 18_446_744_073_709_551_615n

const parsedData = (ledger: Ledger, address: Address): unknown => {
  const account = readTokenAccount(ledger.svm, address)
  const mint = readMint(ledger.svm, account?.mint ?? address)
  if (mint === null) return null
  const program = mint.program === at.TOKEN_PROGRAM ? "spl-token" : "spl-token-2022"
  if (account === null) {
    const { decimals, freezeAuthority, mintAuthority, supply } = mint
    const info = { decimals, freezeAuthority, mintAuthority, supply: supply.toString(), isInitialized: true }
    return { program, parsed: { type: "mint", info } }
  }
  const info = {
    isNative: account.mint === at.WSOL_MINT,
    mint: account.mint,
    owner: account.owner,
    state: account.state === 2 ? "frozen" : "initialized",
    tokenAmount: tokenAmountJson(account.amount, mint.decimals)
  }
  return { program, parsed: { type: "account", info }, space: account.data.length }
}

const encoded = (bytes: Uint8Array, encoding: unknown): unknown => {
  if (encoding === "base64" || encoding === "jsonParsed") {
    return [Buffer.from(bytes).toString("base64"), "base64"]
  }
  if (encoding === undefined) return getBase58Decoder().decode(bytes)
  if (encoding === "base58") return [getBase58Decoder().decode(bytes), "base58"]
  throw new RpcError(-32602, "Invalid params: encoding not supported by the sandbox")
}

/**
 * The account as `getAccountInfo` and its relatives show it, `null` where none exists; `after` is what a simulation made
 * of it.
 */
export const accountJson = (
  ledger: Ledger,
  address: Address,
  parameter: unknown,
  after?: EncodedAccount
): unknown => {
  const account = after === undefined ? ledger.svm.getAccount(address) : { ...after, exists: true as const }
  if (!account.exists || account.lamports === 0n) return null
  const { dataSlice, encoding } = optionsOf(parameter)
  const data = Uint8Array.from(account.data)
  const offset = isRecord(dataSlice) ? numberIn(dataSlice, "offset") : 0
  const length = isRecord(dataSlice) ? numberIn(dataSlice, "length") : data.length
  const parsed = encoding === "jsonParsed" ? parsedData(ledger, address) : null
  return {
    data: parsed ?? encoded(data.subarray(offset, offset + length), encoding),
    executable: account.executable,
    lamports: account.lamports,
    owner: account.programAddress,
    rentEpoch: RENT_EPOCH,
    space: data.length
  }
}
