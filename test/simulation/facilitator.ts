/** A remote facilitator that hangs, is down, lies both ways, and now and then does what it is paid for. */
import { HttpClient, HttpClientError, HttpClientResponse } from "@effect/platform"
import { getBase58Decoder } from "@solana/kit"
import { Effect, Schema } from "effect"
import { createHash, createPrivateKey, createPublicKey, sign } from "node:crypto"
import type { Hex } from "viem"
import { BASE_NETWORK, SOLANA_NETWORK } from "../../src/domain/chain.ts"
import { decodeTransaction, withFeePayerSignature } from "../../src/payment/verifier/svm/transaction.ts"
import { type Authorization, type SimBase, strangersHash } from "./base-chain.ts"
import type { VirtualTime } from "./clock.ts"
import type { Dice } from "./dice.ts"
import { type SimSolana } from "./solana-chain.ts"

/** Its fee payer on Solana; only it can sign for it. */
const KEY = createPrivateKey({
  key: Buffer.concat([
    Buffer.from("302e020100300506032b657004220420", "hex"),
    createHash("sha256").update("facilitator").digest()
  ]),
  format: "der",
  type: "pkcs8"
})
export const FACILITATORS_FEE_PAYER = getBase58Decoder().decode(
  createPublicKey(KEY).export({ format: "der", type: "spki" }).subarray(-32)
)

export const FACILITATOR_URL = "http://facilitator.example"

const Asked = Schema.Struct({
  paymentRequirements: Schema.Struct({ network: Schema.String }),
  paymentPayload: Schema.Struct({
    payload: Schema.Union(
      Schema.Struct({ transaction: Schema.String }),
      Schema.Struct({
        authorization: Schema.Struct({
          from: Schema.String,
          to: Schema.String,
          value: Schema.String,
          validBefore: Schema.String,
          nonce: Schema.String
        })
      })
    )
  })
})
type Payload = (typeof Asked.Type)["paymentPayload"]["payload"]

const lower = (text: string): Hex => `0x${text.slice(2).toLowerCase()}`

export interface FacilitatorOptions {
  readonly base: SimBase
  readonly solana: SimSolana
  readonly dice: Dice
  readonly time: VirtualTime
  /** Whether it behaves from now on. */
  readonly isCalm: () => boolean
}

/** Sends what it was asked to settle; the transaction's id. */
const sends = ({ base, solana }: FacilitatorOptions, payload: Payload): string => {
  if ("transaction" in payload) {
    const decoded = decodeTransaction(payload.transaction)
    if (decoded === undefined) throw new Error("not a payment")
    const transfer = solana.read(withFeePayerSignature(decoded, sign(null, decoded.messageBytes, KEY)))
    solana.submit(transfer)
    return transfer.signature
  }
  const { from, nonce, to, validBefore, value } = payload.authorization
  const transfer: Authorization = {
    payer: lower(from),
    payTo: lower(to),
    amount: BigInt(value),
    validBefore: BigInt(validBefore),
    nonce: lower(nonce)
  }
  base.submitByStranger(transfer)
  return strangersHash(transfer)
}

const INVENTED = { [BASE_NETWORK]: `0x${"ab".repeat(32)}`, [SOLANA_NETWORK]: "5".repeat(87) }

/** The HTTP client of one process, which reaches this facilitator and nobody else. */
export const facilitatorClient = (
  options: FacilitatorOptions,
  step: () => Promise<void>
): HttpClient.HttpClient => {
  const { dice, time } = options

  const settle = async ({ paymentPayload, paymentRequirements: { network } }: typeof Asked.Type) => {
    const says = (success: boolean, transaction: string) =>
      success
        ? { success, transaction, network }
        : { success, transaction, network, errorReason: "unexpected_settle_error" }
    const mood = options.isCalm() ? 1 : dice.next()
    if (mood < 0.1)
      return says(true, network === BASE_NETWORK ? INVENTED[BASE_NETWORK] : INVENTED[SOLANA_NETWORK])
    if (mood < 0.2) return says(false, "")
    if (mood < 0.25) return new Promise<never>(() => {})
    await time.wait(dice.between(100, mood < 0.35 ? 20_000 : 1_000))
    const transaction = sends(options, paymentPayload.payload)
    if (mood < 0.45) return says(false, "")
    await time.wait(dice.between(500, 4_000))
    return mood < 0.55 ? new Promise<never>(() => {}) : says(true, transaction)
  }

  const answer = async (url: URL, body: string): Promise<unknown> => {
    await step()
    await time.wait(dice.between(1, 50))
    if (!options.isCalm() && dice.hits(0.1)) throw new Error("connection refused")
    if (url.pathname === "/supported") {
      const extra = { feePayer: FACILITATORS_FEE_PAYER }
      return { kinds: [{ x402Version: 2, scheme: "exact", network: SOLANA_NETWORK, extra }] }
    }
    if (url.pathname === "/verify") return { isValid: true }
    const said = await settle(Schema.decodeUnknownSync(Schema.parseJson(Asked))(body))
    await step()
    return said
  }

  return HttpClient.make((request, url) =>
    Effect.tryPromise({
      try: () =>
        answer(url, request.body._tag === "Uint8Array" ? Buffer.from(request.body.body).toString() : ""),
      catch: (cause) => new HttpClientError.RequestError({ request, reason: "Transport", cause })
    }).pipe(Effect.map((said) => HttpClientResponse.fromWeb(request, new Response(JSON.stringify(said)))))
  )
}
