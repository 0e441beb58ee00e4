import { describe, expect, it } from "@effect/vitest"
import { createKeyPairSignerFromPrivateKeyBytes, getBase58Decoder, signBytes } from "@solana/kit"
import { SqlClient } from "@effect/sql"
import { Effect, Either, Redacted, TestClock } from "effect"
import { generatePrivateKey, privateKeyToAccount } from "viem/accounts"
import { Checkouts } from "../../src/checkout/checkouts.ts"
import { Merchants } from "../../src/checkout/merchants/merchants.ts"
import { signatureToBase58, toBase58 } from "../../src/domain/base58.ts"
import { signedOnSolana } from "../../src/checkout/merchants/sign-in.ts"
import { BASE_NETWORK, SOLANA_NETWORK } from "../../src/domain/chain.ts"
import { accountOf, as, signedBy, signInWith } from "../support/checkout/merchants.ts"
import { Chain, from, order, PUBLIC_URL, sign, statusOf, STRANGER, verify } from "../support/checkout/shop.ts"
import { inShop, NOW } from "../support/checkout/in-shop.ts"

const wallet = privateKeyToAccount("0x0123456789012345678901234567890123456789012345678901234567890124")
const account = accountOf(wallet)
const signed = signedBy(wallet)
const signIn = signInWith(wallet)

const mine = { merchantPayTo: wallet.address }

describe("proving a receiving account", () => {
  inShop(
    "takes the wallet's signature of our challenge, and gives a token that is kept as a digest",
    function* () {
      const { merchant, token } = yield* signIn
      expect(token).toMatch(/^trm_[A-Za-z0-9_-]{43}$/)
      expect(merchant.account).toBe(`${BASE_NETWORK}:${wallet.address.toLowerCase()}`)
      const sql = yield* SqlClient.SqlClient
      const rows = yield* sql`SELECT * FROM merchant_tokens`
      expect(JSON.stringify(rows)).not.toContain(token.slice(4))
    }
  )

  inShop("says in the challenge whose it is, what for, and until when", function* () {
    const { expiresAt, message } = yield* Effect.flatMap(Merchants, ({ challenge }) => challenge(account))
    expect(message).toContain(`${new URL(PUBLIC_URL).host} wants you to sign in with your Ethereum account:`)
    expect(message).toContain(`\n${wallet.address}\n`)
    expect(message).toContain("This moves no money.")
    expect(Date.parse(expiresAt)).toBe(NOW + 600_000)
  })

  inShop(
    "refuses a second use, a late one, another's signature, and a message we did not make",
    function* () {
      const merchants = yield* Merchants
      const proof = yield* signed
      const tagOf = (change: Partial<typeof proof>) =>
        Effect.map(Effect.flip(merchants.signIn({ ...proof, ...change })), ({ _tag }) => _tag)
      const stranger = privateKeyToAccount(generatePrivateKey())
      const forged = proof.message.replace(wallet.address, stranger.address)
      const forgedSignature = yield* Effect.promise(() => stranger.signMessage({ message: forged }))
      expect(yield* tagOf({ message: forged, signature: forgedSignature })).toBe("CheckoutInvalid")
      expect(yield* tagOf({ message: `${proof.message}\nResources:` })).toBe("CheckoutInvalid")
      expect(yield* tagOf({ message: "" })).toBe("CheckoutInvalid")
      // As long in characters, and longer in bytes.
      expect(yield* tagOf({ message: proof.message.replace("moves no money", "moves nó money") })).toBe(
        "CheckoutInvalid"
      )
      yield* merchants.signIn(proof)
      expect(yield* tagOf({})).toBe("CheckoutInvalid")
      const late = yield* signed
      yield* TestClock.adjust("11 minutes")
      expect((yield* Effect.flip(merchants.signIn(late)))._tag).toBe("CheckoutInvalid")
    }
  )

  inShop("of a clock that was set back since is worth nothing, and so never a second token", function* () {
    const merchants = yield* Merchants
    yield* TestClock.setTime(NOW + 3_600_000)
    const proof = yield* signed
    let tokens = 0
    for (const at of [NOW, NOW + 1_500_000]) {
      yield* TestClock.setTime(at)
      if (Either.isRight(yield* Effect.either(merchants.signIn(proof)))) tokens += 1
    }
    expect(tokens).toBe(0)
    // A clock of another process may be a little ahead.
    yield* TestClock.setTime(NOW + 3_600_000 - 60_000)
    yield* merchants.signIn(proof)
  })

  inShop(
    "gives twenty tokens at once: the oldest makes room for the next, and no other merchant's",
    function* () {
      const merchants = yield* Merchants
      const stranger = yield* signInWith(privateKeyToAccount(generatePrivateKey()))
      const tokens: Array<string> = []
      for (let count = 0; count < 21; count++) {
        yield* TestClock.adjust("1 second")
        tokens.push((yield* signIn).token)
      }
      const isTaken = (token: string) =>
        Effect.map(Effect.either(merchants.authenticate(Redacted.make(token))), Either.isRight)
      expect(yield* Effect.forEach(tokens, isTaken)).toEqual(tokens.map((_, at) => at > 0))
      expect(yield* isTaken(stranger.token)).toBe(true)
    }
  )

  inShop("gives nothing for our own message that another wallet signed", function* () {
    const merchants = yield* Merchants
    const signerOf = (seed: number) => createKeyPairSignerFromPrivateKeyBytes(new Uint8Array(32).fill(seed))
    const [merchant, stranger] = yield* Effect.promise(() => Promise.all([signerOf(7), signerOf(8)]))
    const { message } = yield* merchants.challenge({
      network: SOLANA_NETWORK,
      merchantPayTo: merchant.address
    })
    const signInBy = (signer: typeof merchant) =>
      Effect.promise(() => signBytes(signer.keyPair.privateKey, new TextEncoder().encode(message))).pipe(
        Effect.map((bytes) => getBase58Decoder().decode(bytes)),
        Effect.flatMap((signature) => merchants.signIn({ message, signature, label: "till" }))
      )
    expect((yield* Effect.flip(signInBy(stranger)))._tag).toBe("MerchantUnknown")
    // And it uses nothing up.
    const signedIn = yield* signInBy(merchant)
    expect(signedIn.merchant).toMatchObject({ network: SOLANA_NETWORK, merchantPayTo: merchant.address })
  })

  inShop("ends with the token's revocation, for this merchant's tokens alone", function* () {
    const merchants = yield* Merchants
    const { merchant, token, tokenId } = yield* signIn
    expect(yield* merchants.revoke({ ...merchant, id: "mer_other" }, tokenId)).toBe(false)
    expect(yield* merchants.tokens(merchant)).toMatchObject([{ tokenId, label: "till", revokedAt: null }])
    expect(yield* merchants.revoke(merchant, tokenId)).toBe(true)
    expect((yield* Effect.flip(merchants.authenticate(Redacted.make(token))))._tag).toBe("MerchantUnknown")
  })
})

describe("a wallet's signature on Solana", () => {
  it("is Ed25519 over the message's bytes by the wallet itself", async () => {
    const signer = await createKeyPairSignerFromPrivateKeyBytes(new Uint8Array(32).fill(9))
    const bytes = await signBytes(signer.keyPair.privateKey, new TextEncoder().encode("hello"))
    const signature = getBase58Decoder().decode(bytes)
    expect(signedOnSolana(signer.address, "hello", signature)).toBe(true)
    expect(signedOnSolana(signer.address, "hello!", signature)).toBe(false)
    expect(signedOnSolana(signer.address, "hello", "1".repeat(64))).toBe(false)
    expect(signedOnSolana(signer.address, "hello", "not base58 0OIl")).toBe(false)
    expect(signedOnSolana("", "hello", signature)).toBe(false)
    // A key whose multiples are few signs everything, and no chain lets it: nobody is this account's merchant.
    const neutral = Buffer.from([1, ...Array.from({ length: 31 }, () => 0)])
    const forged = signatureToBase58(Buffer.concat([neutral, Buffer.alloc(32)]))
    expect(signedOnSolana(toBase58(neutral), "hello", forged)).toBe(false)
  })
})

describe("a merchant with a token", () => {
  inShop("is shown as long as it opens anything, however many newer ones were revoked", function* () {
    const merchants = yield* Merchants
    const sql = yield* SqlClient.SqlClient
    const { merchant, tokenId } = yield* signIn
    const revoked = Array.from({ length: 120 }, (_, at) => ({
      id: `tok_${at}`,
      merchant_id: merchant.id,
      digest: `digest ${at}`,
      label: "till",
      created_at: NOW + at + 1,
      revoked_at: NOW + at + 2
    }))
    yield* sql`INSERT INTO merchant_tokens ${sql.insert(revoked)}`
    expect((yield* merchants.tokens(merchant)).map((one) => one.tokenId)).toContain(tokenId)
  })

  inShop("creates for its own account alone, with notes nobody else sees", function* () {
    const checkouts = yield* Checkouts
    const { merchant } = yield* signIn
    const terms = yield* checkouts.create(order({ ...mine, metadata: { table: "7" } }), as(merchant))
    expect((yield* Effect.flip(checkouts.create(order(), as(merchant))))._tag).toBe("CheckoutInvalid")
    const anonymous = checkouts.create(order({ metadata: { table: "7" } }), from(STRANGER))
    expect((yield* Effect.flip(anonymous))._tag).toBe("CheckoutInvalid")
    expect(JSON.stringify(yield* checkouts.status(terms.checkoutId))).not.toContain("table")
    const { checkouts: listed } = yield* checkouts.list(merchant, {})
    expect(listed).toMatchObject([{ checkoutId: terms.checkoutId, metadata: { table: "7" } }])
  })

  inShop(
    "has limits and keys of its own, whatever strangers do with its address",
    function* () {
      const checkouts = yield* Checkouts
      const { merchant } = yield* signIn
      const flood = checkouts.create(order(mine), from(STRANGER, "order-1"))
      yield* flood
      expect((yield* Effect.flip(checkouts.create(order(mine), from(STRANGER))))._tag).toBe("CheckoutLimited")
      const first = yield* checkouts.create(order({ ...mine, memo: "mine" }), as(merchant, "order-1"))
      expect(first.memo).toBe("mine")
      expect((yield* checkouts.list(merchant, {})).checkouts).toHaveLength(1)
    },
    { CHECKOUT_CREATES_PER_MINUTE: "1", CHECKOUT_MAX_OPEN_PER_MERCHANT: "1" }
  )

  inShop("lists page by page, searches, and cancels what is open and its own", function* () {
    const checkouts = yield* Checkouts
    const { merchant } = yield* signIn
    const created = yield* Effect.forEach(["a-1", "a-2", "b-1"], (memo) =>
      TestClock.adjust("1 second").pipe(
        Effect.zipRight(checkouts.create(order({ ...mine, memo }), as(merchant)))
      )
    )
    const strangers = yield* checkouts.create(order(mine), from(STRANGER))
    const first = yield* checkouts.list(merchant, { limit: 2 })
    expect(first.checkouts.map(({ terms }) => terms.memo)).toEqual(["b-1", "a-2"])
    const second = yield* checkouts.list(merchant, { limit: 2, before: first.next ?? "" })
    expect([second.checkouts.map(({ terms }) => terms.memo), second.next]).toEqual([["a-1"], null])
    expect((yield* checkouts.list(merchant, { memo: "a-" })).checkouts).toHaveLength(2)
    expect((yield* Effect.flip(checkouts.list(merchant, { before: "zz" })))._tag).toBe("CheckoutInvalid")
    const id = created[0]?.checkoutId ?? ""
    expect((yield* checkouts.cancel(merchant, id)).status).toBe("cancelled")
    expect((yield* checkouts.cancel(merchant, id)).status).toBe("cancelled")
    expect((yield* Effect.flip(checkouts.cancel(merchant, strangers.checkoutId)))._tag).toBe(
      "CheckoutNotFound"
    )
  })

  inShop("takes no payment for what it cancelled, and nobody is asked for one", function* () {
    const [chain, checkouts] = [yield* Chain, yield* Checkouts]
    const { merchant } = yield* signIn
    const terms = yield* checkouts.create(order(mine), as(merchant))
    const payment = yield* sign(terms)
    yield* checkouts.cancel(merchant, terms.checkoutId)
    const refused = {
      _tag: "CheckoutConflict",
      message: expect.stringContaining("cancelled by the merchant")
    }
    expect(yield* Effect.flip(verify(terms.checkoutId, payment))).toMatchObject(refused)
    expect(yield* Effect.flip(checkouts.challenge(terms.checkoutId))).toMatchObject(refused)
    expect([chain.settles, (yield* statusOf(terms.checkoutId)).status]).toEqual([0, "cancelled"])
  })

  inShop("keeps both of two changes that two of its machines make at once", function* () {
    const merchants = yield* Merchants
    const { merchant, token } = yield* signIn
    yield* merchants.change(merchant, { webhookUrl: "https://shop.example/all" })
    // This request had read the merchant before the other one was through.
    const after = yield* merchants.change(merchant, { displayName: "Café" })
    const both = { displayName: "Café", webhookUrl: "https://shop.example/all" }
    expect(after.settings).toMatchObject(both)
    expect((yield* merchants.authenticate(Redacted.make(token))).settings).toMatchObject(both)
  })

  inShop("dresses its page, and gets events where it said", function* () {
    const merchants = yield* Merchants
    const checkouts = yield* Checkouts
    const { merchant, token } = yield* signIn
    const change = { displayName: "Café", webhookUrl: "https://shop.example/all" }
    yield* merchants.change(merchant, change)
    const inside = Effect.flip(merchants.change(merchant, { webhookUrl: "https://127.0.0.1/" }))
    expect((yield* inside)._tag).toBe("CheckoutInvalid")
    const dressed = yield* merchants.authenticate(Redacted.make(token))
    const terms = yield* checkouts.create(order(mine), as(dressed))
    const page = yield* checkouts.page(terms.checkoutId)
    expect(page.merchant).toMatchObject({ displayName: "Café", successUrl: null })
    const sql = yield* SqlClient.SqlClient
    expect(yield* sql`SELECT webhook_url FROM checkouts`).toEqual([
      { webhook_url: "https://shop.example/all" }
    ])
    const anonymous = yield* checkouts.create(order(mine), from(STRANGER))
    expect((yield* checkouts.page(anonymous.checkoutId)).merchant).toBeNull()
  })
})
