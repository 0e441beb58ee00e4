/** A Solana wallet that pays by itself, as after scanning a code. */
import {
  AccountRole,
  appendTransactionMessageInstructions,
  address,
  blockhash,
  createTransactionMessage,
  getBase64EncodedWireTransaction,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners
} from "@solana/kit"
import { Effect } from "effect"
import type { SolanaChain } from "../../../scripts/sandbox/solana/solana-chain.ts"
import { usdcAccountOf } from "../../../src/chain/usdc-account.ts"
import { SOLANA_USDC } from "../../../src/domain/chain.ts"

const TOKEN_PROGRAM = address("TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA")
/** Instruction number. Source: SPL Token. */
const TRANSFER_CHECKED = 12
const MEMO = address("MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr")

export interface Paying {
  readonly reference: string
  readonly memo: string
  readonly amount: bigint
}

/** One JSON-RPC call to the local node. */
export const callSolana = (url: string, method: string, params: ReadonlyArray<unknown>) =>
  Effect.promise(async () => {
    const body = JSON.stringify({ jsonrpc: "2.0", id: 1, method, params })
    const answer = await fetch(url, { method: "POST", headers: { "content-type": "application/json" }, body })
    return (await answer.json()).result
  })

/** The payer sends the shop a transfer with the reference, and a memo. The transaction's signature. */
export const walletPays = ({ accounts, url }: SolanaChain, { amount, memo, reference }: Paying) =>
  Effect.gen(function* () {
    const { payer, shop: merchant } = accounts
    const call = (method: string, params: ReadonlyArray<unknown>) => callSolana(url, method, params)
    const [source, destination] = yield* Effect.promise(() =>
      Promise.all([usdcAccountOf(payer.address), usdcAccountOf(merchant.address)])
    )
    const { value } = yield* call("getLatestBlockhash", [])
    const lifetime = {
      blockhash: blockhash(String(value.blockhash)),
      lastValidBlockHeight: BigInt(value.lastValidBlockHeight)
    }
    const data = Buffer.alloc(10)
    data.writeUInt8(TRANSFER_CHECKED, 0)
    data.writeBigUInt64LE(amount, 1)
    data.writeUInt8(6, 9)
    const transfer = {
      programAddress: TOKEN_PROGRAM,
      data: new Uint8Array(data),
      accounts: [
        { address: address(source ?? ""), role: AccountRole.WRITABLE },
        { address: address(SOLANA_USDC), role: AccountRole.READONLY },
        { address: address(destination ?? ""), role: AccountRole.WRITABLE },
        { address: payer.address, role: AccountRole.READONLY_SIGNER, signer: payer },
        { address: address(reference), role: AccountRole.READONLY }
      ]
    } as const
    const note = { programAddress: MEMO, data: new TextEncoder().encode(memo) }
    const signed = yield* Effect.promise(() =>
      pipe(
        createTransactionMessage({ version: 0 }),
        (message) => setTransactionMessageFeePayerSigner(payer, message),
        (message) => setTransactionMessageLifetimeUsingBlockhash(lifetime, message),
        (message) => appendTransactionMessageInstructions([note, transfer], message),
        signTransactionMessageWithSigners
      )
    )
    return yield* call("sendTransaction", [getBase64EncodedWireTransaction(signed), { encoding: "base64" }])
  })
