import { describe, expect, it } from "@effect/vitest"
import type { PaymentPayload, PaymentRequirements } from "@x402/core/types"
import { Schema } from "effect"
import type { PrivateKeyAccount } from "viem/accounts"
import { concat, numberToHex, pad, size, slice, toHex } from "viem"
import { evmAccount } from "../../scripts/sandbox/accounts.ts"
import * as abi from "../../scripts/sandbox/base/abi.ts"
import { USDC } from "../../scripts/sandbox/base/addresses.ts"
import { hex } from "../../scripts/sandbox/base/eip3009.ts"
import { authorize, envelope, nowSeconds } from "../support/authorizations.ts"
import {
  challengeOf,
  encode,
  pathOf,
  pay,
  reasonOf,
  receiptOf,
  screen,
  signFor,
  termsIn
} from "../support/calls.ts"
import { pingOf } from "../support/payment/buying.ts"
import { baseBuyer } from "../support/sandbox.ts"
import { movedSince, NOTHING, onceOnBase, readBooks } from "../support/books.ts"
import { PING_PRICE } from "../support/prices.ts"
import { newBasePayer, useSharedService } from "../support/stage.ts"

const { service, stage } = useSharedService()

const screening = () => pingOf(stage())

const termsOnBase = async (): Promise<PaymentRequirements> => {
  const [onBase] = challengeOf(await screen(service().url, screening())).accepts
  if (onBase === undefined) throw new Error("no terms")
  return onBase
}

const SECP256K1_ORDER = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n

/** The same signature with the other s: valid for ecrecover, refused by USDC. */
const highS = (signature: `0x${string}`): `0x${string}` => {
  const s = SECP256K1_ORDER - BigInt(slice(signature, 32, 64))
  const v = slice(signature, 64) === "0x1b" ? "0x1c" : "0x1b"
  return concat([slice(signature, 0, 32), numberToHex(s, { size: 32 }), v])
}

/** ERC-2098: the same signature in 64 bytes. */
const compact = (signature: `0x${string}`): `0x${string}` => {
  const s = BigInt(slice(signature, 32, 64)) | (slice(signature, 64) === "0x1c" ? 1n << 255n : 0n)
  return concat([slice(signature, 0, 32), numberToHex(s, { size: 32 })])
}

const ERC6492_MAGIC = `0x${"6492".repeat(16)}` as const

/** ERC-6492: a wallet to be deployed by a factory the caller names. */
const wrapped = (signature: `0x${string}`): `0x${string}` =>
  concat([
    pad(USDC, { size: 32 }),
    numberToHex(96n, { size: 32 }),
    numberToHex(128n, { size: 32 }),
    numberToHex(0n, { size: 32 }),
    numberToHex(BigInt(size(signature)), { size: 32 }),
    signature,
    `0x${"00".repeat((32 - (size(signature) % 32)) % 32)}`,
    ERC6492_MAGIC
  ])

interface Case {
  readonly account: PrivateKeyAccount
  readonly terms: PaymentRequirements
}

type Build = (given: Case) => Promise<unknown>

const signed =
  (
    ...changes: Parameters<typeof authorize> extends [unknown, unknown, ...infer Rest] ? Rest : never
  ): Build =>
  async ({ account, terms }) =>
    envelope(terms, await authorize(account, terms, ...changes))

const withSignature =
  (change: (signature: `0x${string}`) => `0x${string}`): Build =>
  async ({ account, terms }) => {
    const { authorization, signature } = await authorize(account, terms)
    return envelope(terms, { authorization, signature: change(signature) })
  }

/** The authorization pays what the changed terms say, so that only the match with our own terms can refuse it. */
const accepting =
  (changes: Readonly<Record<string, unknown>>): Build =>
  async ({ account, terms }) => {
    const changed = { ...terms, ...changes }
    const to = changed.payTo
    const value = /^\d+$/.test(changed.amount) ? changed.amount : terms.amount
    return envelope(changed, await authorize(account, terms, { to: hex(to), value }))
  }

const otherDigit = (signature: string): string => (signature[20] === "0" ? "1" : "0")
const at = (offset: number): string => String(nowSeconds() + offset)
const OTHER = "0x000000000000000000000000000000000000dEaD"
const SEPOLIA = "0x036CbD53842c5426634e7929541eC2318f3dCF7e"

const refused: Readonly<Record<string, Build>> = {
  "a signature with one digit changed": withSignature(
    (signature) => `0x${signature.slice(2, 20)}${otherDigit(signature)}${signature.slice(21)}`
  ),
  "a signature by another key": async ({ account, terms }) => {
    const other = await authorize(evmAccount("thief"), terms, { from: account.address })
    return envelope(terms, other)
  },
  "a signature of other terms": async ({ account, terms }) => {
    const { signature } = await authorize(account, terms, { value: "1" })
    const { authorization } = await authorize(account, terms)
    return envelope(terms, { authorization, signature })
  },
  "an empty 65-byte signature": withSignature(() => `0x${"00".repeat(65)}`),
  "a high-s signature": withSignature(highS),
  "a 64-byte compact signature": withSignature(compact),
  "an ERC-6492 wrapper that would have us deploy a contract": withSignature(wrapped),
  "a signature of one byte": withSignature(() => "0x00"),
  "a signature of four thousand bytes": withSignature(() => `0x${"ab".repeat(2_500)}`),
  "an expired authorization": (given) => signed({ validBefore: at(-1) })(given),
  "an authorization that expires before it could settle": (given) => signed({ validBefore: at(3) })(given),
  "an authorization that is not valid yet": (given) => signed({ validAfter: at(45) })(given),
  "an authorization that stays valid for hours": (given) => signed({ validBefore: at(7_200) })(given),
  "an authorization that stays valid for millennia": signed({ validBefore: "99999999999" }),
  "too little": signed({ value: "4999" }),
  "too much": signed({ value: "5001" }),
  nothing: signed({ value: "0" }),
  "another recipient": signed({ to: OTHER }),
  "another recipient in accepted too": accepting({ payTo: OTHER }),
  "a lower amount in accepted too": accepting({ amount: "1" }),
  "a higher amount in accepted too": accepting({ amount: "50000" }),
  "a price in dollars": accepting({ amount: "0.005" }),
  "testnet USDC": async ({ account, terms }) =>
    envelope(
      { ...terms, asset: SEPOLIA, network: "eip155:84532" },
      await authorize(account, terms, {}, { chainId: 84_532, verifyingContract: SEPOLIA, name: "USDC" })
    ),
  "another asset": async ({ account, terms }) =>
    envelope(
      { ...terms, asset: SEPOLIA },
      await authorize(account, terms, {}, { verifyingContract: SEPOLIA })
    ),
  "a signature for another chain": signed({}, { chainId: 1 }),
  "a signature in another EIP-712 domain": signed({}, { name: "USDC" }),
  "another network in accepted": accepting({ network: "eip155:1" }),
  "a network that is none": accepting({ network: "" }),
  "another scheme": accepting({ scheme: "upto" }),
  "another time-out in accepted": accepting({ maxTimeoutSeconds: 3_600 }),
  "another EIP-712 domain in accepted": accepting({ extra: { name: "USDC", version: "2" } }),
  "no extra in accepted": accepting({ extra: {} }),
  "a key in accepted that we never offered": accepting({ discount: "100%" }),
  "accepted in another spelling of the recipient": async ({ account, terms }) =>
    envelope({ ...terms, payTo: terms.payTo.toLowerCase() }, await authorize(account, terms)),
  "x402 version 1": async (given) => Object.assign({}, await signed()(given), { x402Version: 1 }),
  "x402 version 3": async (given) => Object.assign({}, await signed()(given), { x402Version: 3 }),
  "the resource of another origin": async ({ account, terms }) =>
    envelope(terms, await authorize(account, terms), `https://evil.example${pathOf("ping")}`),
  "the resource of another operation": async ({ account, terms }) =>
    envelope(terms, await authorize(account, terms), `${service().url}${pathOf("deep")}`),
  "a Permit2 payload": async ({ account, terms }) =>
    envelope(terms, {
      signature: `0x${"11".repeat(65)}`,
      permit2Authorization: { from: account.address, permitted: { token: USDC, amount: terms.amount } }
    })
}

const expectRefused = async (payload: unknown) => {
  const before = await readBooks(stage())
  const answer = await pay(service().url, screening(), encode(payload))
  expect(answer.status).toBe(402)
  expect(challengeOf(answer).accepts).toHaveLength(2)
  expect(answer.body).toMatchObject({ error: "Payment Required" })
  expect(answer.headers.get("cache-control")).toContain("no-store")
  expect(receiptOf(answer)).toMatchObject({ success: false, transaction: "" })
  expect(reasonOf(answer)).toMatch(/^[a-z0-9_]+$/)
  expect(termsIn(answer.text)).toEqual(termsIn((await screen(service().url, screening())).text))
  expect(await movedSince(stage(), before)).toEqual(NOTHING)
}

describe("a payment on Base with", () => {
  for (const [name, build] of Object.entries(refused)) {
    it(`${name} is refused, and nothing moves`, async () => {
      const account = await newBasePayer(stage())
      await expectRefused(await build({ account, terms: await termsOnBase() }))
    })
  }
})

describe("a payer on Base", () => {
  it("without the money is refused before anything is sent", async () => {
    const account = await newBasePayer(stage(), 4_999n)
    await expectRefused(await signed()({ account, terms: await termsOnBase() }))
  })

  it("who cancelled the authorization is refused", async () => {
    const account = await newBasePayer(stage())
    const { authorization, signature } = await authorize(account, await termsOnBase())
    await cancel(account, hex(authorization.nonce))
    await expectRefused(envelope(await termsOnBase(), { authorization, signature }))
  })

  it("who is on USDC's blacklist is refused", async () => {
    const account = await newBasePayer(stage())
    const { base } = stage().sandbox
    await base.devnet.write(base.accounts.deployer.address, USDC, abi.usdc, "blacklist", [account.address])
    await expectRefused(await signed()({ account, terms: await termsOnBase() }))
  })
})

const cancel = async (account: PrivateKeyAccount, nonce: `0x${string}`) => {
  const { base } = stage().sandbox
  const signature = await account.signTypedData({
    domain: { name: "USD Coin", version: "2", chainId: 8453, verifyingContract: USDC },
    types: {
      CancelAuthorization: [
        { name: "authorizer", type: "address" },
        { name: "nonce", type: "bytes32" }
      ]
    },
    primaryType: "CancelAuthorization",
    message: { authorizer: account.address, nonce }
  })
  await base.devnet.write(base.accounts.trader.address, USDC, abi.usdc, "cancelAuthorization", [
    account.address,
    nonce,
    signature
  ])
}

const Eip3009 = Schema.Struct({
  signature: Schema.String,
  authorization: Schema.Record({ key: Schema.String, value: Schema.String })
})

/** Other spellings of one honest payment. */
const accepted: Readonly<Record<string, (payload: PaymentPayload) => unknown>> = {
  "without the resource": ({ accepted, payload, x402Version }) => ({ x402Version, accepted, payload }),
  "without the echoed extensions": (payload) => ({ ...payload, extensions: {} }),
  "with an extension we do not know": (payload) => ({ ...payload, extensions: { unknown: { info: {} } } }),
  "with more in extra than we asked for": (payload) => ({
    ...payload,
    accepted: { ...payload.accepted, extra: { ...payload.accepted.extra, wallet: "mine" } }
  }),
  "with a query in the resource": (payload) => ({
    ...payload,
    resource: { url: `${service().url}${pathOf("ping")}?chain=base` }
  }),
  "with a lower-case authorization": (payload) => {
    const { authorization, signature } = Schema.decodeUnknownSync(Eip3009)(payload.payload)
    const lower = Object.entries(authorization).map(([key, value]) => [key, value.toLowerCase()])
    return { ...payload, payload: { signature, authorization: Object.fromEntries(lower) } }
  },
  "with recovery id 0 or 1": (payload) => {
    const { authorization, signature } = Schema.decodeUnknownSync(Eip3009)(payload.payload)
    const v = Number.parseInt(signature.slice(-2), 16) - 27
    const spelled = `${signature.slice(0, -2)}${toHex(v, { size: 1 }).slice(2)}`
    return { ...payload, payload: { authorization, signature: spelled } }
  },
  "with its keys in another order": (payload) => Object.fromEntries(Object.entries(payload).toReversed())
}

describe("an honest payment on Base", () => {
  for (const [name, change] of Object.entries(accepted)) {
    it(`${name} pays`, async () => {
      const account = await newBasePayer(stage())
      const payload = await signFor(service().url, screening(), baseBuyer(account))
      const before = await readBooks(stage())
      const answer = await pay(service().url, screening(), encode(change(payload)))
      expect(answer.status).toBe(200)
      expect(await movedSince(stage(), before)).toEqual(onceOnBase(PING_PRICE))
    })
  }
})
