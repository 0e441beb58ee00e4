/** A buyer on Solana who signs a checkout's terms by hand, in front of the fake chain. */
import {
  address,
  appendTransactionMessageInstructions,
  blockhash,
  createKeyPairSignerFromPrivateKeyBytes,
  createTransactionMessage,
  getBase58Decoder,
  getBase64EncodedWireTransaction,
  partiallySignTransactionMessageWithSigners,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash
} from "@solana/kit"
import { Effect } from "effect"
import { randomBytes } from "node:crypto"
import { associatedTokenAccount } from "../../../scripts/sandbox/solana/place.ts"
import { SOLANA_NETWORK } from "../../../src/domain/chain.ts"
import type { CheckoutTerms } from "../../../src/domain/checkout.ts"
import { computeLimit, computePrice, memo, transferChecked } from "../solana-payments.ts"
import { sign } from "./shop.ts"

const BUYER = new Uint8Array(32).fill(5)

/** A payment of the terms as a stock client makes it, each time with another blockhash. */
export const signOnSolana = (terms: CheckoutTerms) =>
  Effect.promise(async () => {
    const authority = await createKeyPairSignerFromPrivateKeyBytes(BUYER)
    const mint = address(terms.asset)
    const transfer = {
      source: associatedTokenAccount(mint, authority.address),
      destination: associatedTokenAccount(mint, address(terms.payTo)),
      authority,
      amount: BigInt(terms.amount)
    }
    const recent = blockhash(getBase58Decoder().decode(randomBytes(32)))
    const message = pipe(
      createTransactionMessage({ version: 0 }),
      (draft) => setTransactionMessageFeePayer(address(String(terms.extra["feePayer"])), draft),
      (draft) =>
        setTransactionMessageLifetimeUsingBlockhash({ blockhash: recent, lastValidBlockHeight: 0n }, draft),
      (draft) =>
        appendTransactionMessageInstructions(
          [computeLimit(), computePrice(), transferChecked(transfer), memo(String(terms.extra["memo"]))],
          draft
        )
    )
    const transaction = getBase64EncodedWireTransaction(
      await partiallySignTransactionMessageWithSigners(message)
    )
    const payload = {
      x402Version: 2,
      resource: { url: terms.url },
      accepted: { ...terms },
      payload: { transaction }
    }
    return Buffer.from(JSON.stringify(payload), "utf8").toString("base64")
  })

/** A payment of the terms, on whichever network they are. */
export const signEither = (terms: CheckoutTerms) =>
  terms.network === SOLANA_NETWORK ? signOnSolana(terms) : sign(terms)
