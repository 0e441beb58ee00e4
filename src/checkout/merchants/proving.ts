import { Clock, Effect, Option } from "effect"
import { timingSafeEqual } from "node:crypto"
import { Attestor } from "../../attestation/attestor.ts"
import { ChainRpc } from "../../chain/chain-rpc.ts"
import { merchantKey } from "../../domain/checkout.ts"
import type { MerchantAccountRef, MerchantSignIn } from "../../domain/merchant.ts"
import { CheckoutInvalid, MerchantUnknown } from "../errors.ts"
import { Randomness } from "../randomness.ts"
import { profileOf } from "./profile.ts"
import { CHALLENGE_LIFE, isSigned, messageOf, readMessage } from "./sign-in.ts"
import { makeKeepToken } from "./store.ts"

const TOKEN_PREFIX = "trm_"

const sameText = (a: string, b: string): boolean => {
  // Texts of as many characters may have more bytes.
  const [one, other] = [Buffer.from(a, "utf8"), Buffer.from(b, "utf8")]
  return one.length === other.length && timingSafeEqual(one, other)
}

const notSigned = new MerchantUnknown({ message: "the message was not signed by this account's wallet" })
const invalid = (message: string) => new CheckoutInvalid({ field: "message", message })

/** What wallets sign here. Only this service can make it, so no challenge is kept until it comes back signed. */
const makeChallengeAt = (publicUrl: string, sign: Attestor["Type"]["sign"]) => {
  const nonceOf = ({ network, merchantPayTo }: MerchantAccountRef, issuedAt: number): string =>
    Buffer.from(sign(Buffer.from(`merchant-sign-in:v1|${merchantKey(network, merchantPayTo)}|${issuedAt}`)))
      .subarray(0, 16)
      .toString("hex")
  return (account: MerchantAccountRef, issuedAt: number) =>
    messageOf({ account, publicUrl, issuedAt, nonce: nonceOf(account, issuedAt) })
}

/** How a merchant proves a receiving account: `challenge` and `signIn` of `Merchants`. */
export const makeProving = (publicUrl: string) =>
  Effect.gen(function* () {
    const chain = yield* ChainRpc
    const randomness = yield* Randomness
    const keepToken = yield* makeKeepToken
    const challengeAt = makeChallengeAt(publicUrl, (yield* Attestor).sign)
    /** There is no challenge for text that is not an address. */
    const ourMessage = Option.liftThrowable(challengeAt)

    const challenge = Effect.fn("Merchants.challenge")((account: MerchantAccountRef) =>
      Effect.map(Clock.currentTimeMillis, (now) => ({
        message: challengeAt(account, now),
        expiresAt: new Date(now + CHALLENGE_LIFE).toISOString()
      }))
    )

    /** The message must be ours to the letter: whatever a wallet signed elsewhere opens nothing here. */
    const readOurs = Effect.fnUntraced(function* (message: string) {
      const read = readMessage(message)
      const isOurs =
        read !== undefined &&
        Option.exists(ourMessage(read.account, read.issuedAt), (ours) => sameText(ours, message))
      if (!isOurs) return yield* invalid("must be a challenge of this service")
      // One of a clock that was ahead would outlive what is remembered of its use.
      const age = (yield* Clock.currentTimeMillis) - read.issuedAt
      if (Math.abs(age) > CHALLENGE_LIFE) return yield* invalid("has expired: ask for a new one")
      return read
    })

    const signIn = Effect.fn("Merchants.signIn")(function* ({ label, message, signature }: MerchantSignIn) {
      const { account: ref, nonce } = yield* readOurs(message)
      if (!(yield* isSigned(chain.base, ref, message, signature))) return yield* notSigned
      const token = `${TOKEN_PREFIX}${(yield* randomness.bytes(32)).toString("base64url")}`
      const account = merchantKey(ref.network, ref.merchantPayTo)
      const kept = yield* keepToken({ account, nonce, token, label })
      if (Option.isNone(kept)) return yield* invalid("was used already: ask for a new one")
      const { merchant, tokenId } = kept.value
      return { token, tokenId, merchant: profileOf(merchant) }
    })

    return { challenge, signIn }
  })
