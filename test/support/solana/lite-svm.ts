/** Accounts and transactions on LiteSVM, which runs the chain's own programs. */
import type { Instruction, KeyPairSigner } from "@solana/kit"
import {
  address,
  appendTransactionMessageInstructions,
  blockhash,
  createTransactionMessage,
  lamports,
  pipe,
  setTransactionMessageFeePayerSigner,
  setTransactionMessageLifetimeUsingBlockhash,
  signTransactionMessageWithSigners
} from "@solana/kit"
import type { LiteSVM } from "litesvm"
import { TransactionMetadata } from "litesvm"
import type { SolanaAddress } from "../../../src/domain/address.ts"

export const fund = (svm: LiteSVM, signer: KeyPairSigner): void => {
  svm.airdrop(signer.address, lamports(1_000_000_000n))
}

/** Puts an account of a program's there as it is. */
export const placeOn = (
  svm: LiteSVM,
  where: SolanaAddress,
  { data, owner }: { readonly data: ArrayLike<number>; readonly owner: SolanaAddress }
): void => {
  svm.setAccount({
    address: address(where),
    programAddress: address(owner),
    data: Uint8Array.from(data),
    lamports: lamports(10_000_000n),
    executable: false,
    space: BigInt(data.length)
  })
}

/** Whether a transaction of these instructions, signed and paid by one key, succeeds. */
export const sends = async (
  svm: LiteSVM,
  payer: KeyPairSigner,
  ...instructions: ReadonlyArray<Instruction>
): Promise<boolean> => {
  svm.expireBlockhash()
  const lifetime = { blockhash: blockhash(svm.latestBlockhash()), lastValidBlockHeight: 1000n }
  const transaction = await pipe(
    createTransactionMessage({ version: 0 }),
    (message) => setTransactionMessageFeePayerSigner(payer, message),
    (message) => setTransactionMessageLifetimeUsingBlockhash(lifetime, message),
    (message) => appendTransactionMessageInstructions(instructions, message),
    signTransactionMessageWithSigners
  )
  return svm.sendTransaction(transaction) instanceof TransactionMetadata
}
