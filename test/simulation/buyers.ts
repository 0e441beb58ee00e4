/** Clients of a simulation, each with one signed payment on Base or on Solana. */
import {
  address,
  appendTransactionMessageInstructions,
  blockhash,
  compileTransaction,
  createTransactionMessage,
  getBase58Decoder,
  pipe,
  setTransactionMessageFeePayer,
  setTransactionMessageLifetimeUsingBlockhash
} from "@solana/kit"
import { Effect } from "effect"
import { createPrivateKey, createPublicKey, sign } from "node:crypto"
import type { Hex } from "viem"
import { privateKeyToAccount } from "viem/accounts"
import { SOLANA_NETWORK, SOLANA_USDC } from "../../src/domain/chain.ts"
import type { PaymentRequirements } from "../../src/domain/x402.ts"
import { parsePaymentObject } from "../../src/payment/message/parse-payment.ts"
import { authorizationDigest } from "../../src/payment/verifier/evm/authorization.ts"
import { associatedTokenAccount } from "../../scripts/sandbox/solana/place.ts"
import { computeLimit, computePrice, memo, transferChecked } from "../support/solana-payments.ts"
import { type Buyer, PRICE } from "./audit.ts"
import { useKey } from "./base-chain.ts"
import type { Dice } from "./dice.ts"
import type { SimSolana } from "./solana-chain.ts"
import { termsFor } from "../support/payment/terms.ts"

const SHOP: Hex = "0x7777777777777777777777777777777777777777"
const SOLANA_SHOP = address("9WzDXwBbmkg8ZTbNMqUxvQRAyrZzDsGYdLVL9zYtAWWM")

const MINT = address(SOLANA_USDC)
const destination = associatedTokenAccount(MINT, SOLANA_SHOP)

const lower = (text: string): Hex => `0x${text.slice(2).toLowerCase()}`

const parsed = (terms: PaymentRequirements, payload: object) =>
  Effect.runSync(parsePaymentObject({ x402Version: 2, accepted: terms, payload }))

const unheard = (at: number) => ({
  answer: `answer ${at}`,
  answers: 0,
  rejected: undefined,
  done: false
})

/** `window`: seconds in which it may land. */
export const baseBuyer = async (
  dice: Dice,
  at: number,
  nowSeconds: number,
  window?: number
): Promise<Buyer> => {
  const account = privateKeyToAccount(dice.hex(32))
  const payer = lower(account.address)
  const terms = termsFor(SHOP, PRICE)
  const authorization = {
    from: payer,
    to: SHOP,
    value: String(PRICE),
    validAfter: "0",
    validBefore: String(nowSeconds + (window ?? dice.between(20, 60))),
    nonce: dice.hex(32)
  }
  const digest = Buffer.from(authorizationDigest(authorization, terms) ?? []).toString("hex")
  const signature = await account.sign({ hash: `0x${digest}` })
  return {
    ...unheard(at),
    network: "base",
    key: useKey({ payer, nonce: authorization.nonce }),
    payer,
    purse: payer,
    payment: parsed(terms, { signature, authorization }),
    terms,
    closes: Number(authorization.validBefore)
  }
}

export const solanaTerms = (feePayer: string): PaymentRequirements => ({
  scheme: "exact",
  network: SOLANA_NETWORK,
  amount: String(PRICE),
  asset: SOLANA_USDC,
  payTo: SOLANA_SHOP,
  maxTimeoutSeconds: 30,
  extra: { feePayer }
})

const ED25519_PKCS8 = "302e020100300506032b657004220420"

/** A payment as the official client makes it, on a blockhash that may be old. */
export const solanaBuyer = async (
  dice: Dice,
  at: number,
  chain: SimSolana,
  feePayer: string
): Promise<Buyer> => {
  const seed = Buffer.from(`${ED25519_PKCS8}${dice.hex(32).slice(2)}`, "hex")
  const key = createPrivateKey({ key: seed, format: "der", type: "pkcs8" })
  const spki = createPublicKey(key).export({ format: "der", type: "spki" })
  const payer = address(getBase58Decoder().decode(spki.subarray(-32)))
  const source = associatedTokenAccount(MINT, payer)
  chain.owners.set(source, payer).set(destination, SOLANA_SHOP)
  const recent = blockhash(chain.blockhash(chain.slot - dice.between(0, 80)))
  const { messageBytes } = pipe(
    createTransactionMessage({ version: 0 }),
    (draft) => setTransactionMessageFeePayer(address(feePayer), draft),
    (draft) =>
      setTransactionMessageLifetimeUsingBlockhash({ blockhash: recent, lastValidBlockHeight: 0n }, draft),
    (draft) =>
      appendTransactionMessageInstructions(
        [
          computeLimit(),
          computePrice(),
          transferChecked({ source, destination, authority: payer, amount: PRICE }),
          memo(dice.hex(16).slice(2))
        ],
        draft
      ),
    compileTransaction
  )
  const signature = sign(null, Uint8Array.from(messageBytes), key)
  const wire = Buffer.concat([Uint8Array.of(2), Buffer.alloc(64), signature, Uint8Array.from(messageBytes)])
  const terms = solanaTerms(feePayer)
  const payment = parsed(terms, { transaction: wire.toString("base64") })
  return {
    ...unheard(at),
    network: "solana",
    key: payment.authorizationKey.slice(payment.authorizationKey.lastIndexOf(":") + 1),
    payer,
    purse: source,
    payment,
    terms,
    closes: chain.closes(recent)
  }
}
