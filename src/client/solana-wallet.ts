import { textToBase64, toBase64, toHex } from "./base64.ts"
import { fromBase58 } from "../domain/base58.ts"
import { isRecord } from "../domain/json.ts"
import { transferMessage, wireTransaction } from "./solana-message.ts"
import type { PaymentRequirements } from "./types.ts"
import { SOLANA_NETWORK } from "./types.ts"
import type { Wallet } from "./wallet.ts"
import { walletOf } from "./wallet.ts"

/** A signer of `@solana/kit` that only adds its signature (`KeyPairSigner` and every `TransactionPartialSigner`). */
export interface SolanaSigner {
  readonly address: string
  signTransactions(
    transactions: ReadonlyArray<{
      readonly messageBytes: ArrayLike<number>
      readonly signatures: Readonly<Record<string, unknown>>
    }>
  ): Promise<ReadonlyArray<Readonly<Record<string, ArrayLike<number> | undefined>>>>
}

const RPC_TIMEOUT_MS = 10_000

/** `fetch` refuses an address with a name and a password in it, and its error repeats both. */
const splitCredentials = (rpcUrl: string) => {
  const url = new URL(rpcUrl)
  const names = [url.username, url.password]
  url.username = ""
  url.password = ""
  const credentials = textToBase64(names.map(decodeURIComponent).join(":"))
  const isNamed = names.some((name) => name !== "")
  return { url: url.href, headers: isNamed ? { authorization: `Basic ${credentials}` } : {} }
}

/** It lives for half a minute from its block on, and a final block is several seconds old. */
const NEWEST = { commitment: "confirmed" }

const askBlockhash = async (rpcUrl: string): Promise<unknown> => {
  const { headers, url } = splitCredentials(rpcUrl)
  const answer = await fetch(url, {
    method: "POST",
    headers: { "content-type": "application/json", ...headers },
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "getLatestBlockhash", params: [NEWEST] }),
    signal: AbortSignal.timeout(RPC_TIMEOUT_MS)
  })
  const body: unknown = await answer.json()
  const result = isRecord(body) ? body["result"] : undefined
  const value = isRecord(result) ? result["value"] : undefined
  return isRecord(value) ? value["blockhash"] : undefined
}

/** An error names the host: the rest of the URL may hold a key. */
const latestBlockhash = async (rpcUrl: string): Promise<string> => {
  const blockhash = await askBlockhash(rpcUrl).catch(() => undefined)
  if (typeof blockhash !== "string")
    throw new Error(`the Solana RPC gave no blockhash (${new URL(rpcUrl).host})`)
  return blockhash
}

/** A challenge may bring a blockhash, which saves the payer a call. */
const blockhashFor = ({ extra }: PaymentRequirements, rpcUrl: string): Promise<string> => {
  const given = extra["recentBlockhash"]
  return typeof given === "string" && fromBase58(given) !== undefined
    ? Promise.resolve(given)
    : latestBlockhash(rpcUrl)
}

const payload = async (signer: SolanaSigner, rpcUrl: string, chosen: PaymentRequirements) => {
  const { feePayer, memo } = chosen.extra
  if (typeof feePayer !== "string") throw new Error("the challenge names no fee payer")
  const message = await transferMessage({
    payer: signer.address,
    payTo: chosen.payTo,
    mint: chosen.asset,
    amount: BigInt(chosen.amount),
    feePayer,
    // Two payments of one price would be the same transaction without it.
    memo: typeof memo === "string" ? memo : toHex(crypto.getRandomValues(new Uint8Array(16))),
    blockhash: await blockhashFor(chosen, rpcUrl)
  })
  const [signatures] = await signer.signTransactions([
    { messageBytes: message, signatures: { [feePayer]: null, [signer.address]: null } }
  ])
  const signature = Uint8Array.from(signatures?.[signer.address] ?? [])
  if (signature.length !== 64) throw new Error("the signer gave no signature of its own")
  return { transaction: toBase64(wireTransaction(signature, message)) }
}

/** Pays on Solana with a transfer signed by a kit signer. `rpcUrl` is read for a blockhash. */
export const solanaWallet = (signer: SolanaSigner, rpcUrl: string): Wallet =>
  walletOf(SOLANA_NETWORK, (chosen) => payload(signer, rpcUrl, chosen))
