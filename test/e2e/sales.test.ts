import { describe, expect, it } from "@effect/vitest"
import { Either, Schema } from "effect"
import { pad } from "viem"
import type { PrivateKeyAccount } from "viem/accounts"
import { Jwks, verifyReport } from "../../src/domain/attestation.ts"
import type { Buyer } from "../../scripts/sandbox/buyer.ts"
import type { Screening } from "../support/calls.ts"
import { ask, pay, paymentFor, receiptOf, screen, toHttp } from "../support/calls.ts"
import { baseBuyer, smartWalletBuyer, solanaBuyer } from "../support/sandbox.ts"
import { movedSince, NOTHING, onceOnBase, onceOnSolana, readBooks } from "../support/books.ts"
import { DEEP_PRICE, PING_PRICE } from "../support/prices.ts"
import { newBasePayer, useSharedService } from "../support/stage.ts"
import { SMART_WALLET } from "../../scripts/sandbox/base/addresses.ts"
import { pingOf } from "../support/payment/buying.ts"

const { service, stage } = useSharedService()

const tokenOn = (chain: "base" | "solana"): string => {
  const { base, solana } = stage().sandbox
  return chain === "base" ? base.tokens.clean.address : solana.tokens.clean.address
}

const buyers = {
  base: () => baseBuyer(stage().sandbox.base.accounts.payer),
  solana: () => solanaBuyer(stage().sandbox.solana.accounts.payer, stage().sandbox.solana.url)
}

const payerOn = (network: "base" | "solana"): string => {
  const { base, solana } = stage().sandbox
  return network === "base" ? base.accounts.payer.address : solana.accounts.payer.address
}

const buy = (screening: Screening, buyer: Buyer) => ask(...toHttp(service().url, screening), buyer.fetch)

const ping = {
  safe: true,
  mintAuthorityOff: true,
  lpLocked: true,
  pairs: expect.any(Number),
  priceUsd: expect.any(Number),
  fetchedAt: expect.any(Number),
  cacheHit: expect.any(Boolean)
}

const report = (screening: Screening) => ({
  chain: screening.chain,
  address: expect.any(String),
  verdict: expect.stringMatching(/^(?:allow|caution|avoid)$/),
  score: expect.any(Number),
  band: expect.stringMatching(/^(?:low|elevated|high|critical)$/),
  reasons: expect.any(Array),
  priceUsd: expect.any(Number),
  liquidityUsd: expect.any(Number),
  fetchedAt: expect.any(Number),
  cacheHit: expect.any(Boolean),
  free: false,
  ...(screening.chain === "solana" ? { exits: expect.any(Object) } : {}),
  signals: expect.any(Array),
  coverage: expect.any(Number),
  methodology: expect.any(String),
  evidence: expect.any(Object),
  attestation: {
    digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    hmac: expect.stringMatching(/^[0-9a-f]{64}$/),
    keyId: expect.any(String),
    hmacKeyId: expect.any(String),
    algorithm: expect.any(String),
    signature: expect.stringMatching(/^[\w-]{86}$/)
  }
})

const Dated = Schema.Struct({ fetchedAt: Schema.Int, cacheHit: Schema.Boolean })
const Report = Schema.Struct({
  score: Schema.Number,
  band: Schema.String,
  verdict: Schema.String,
  reasons: Schema.Array(Schema.Struct({ code: Schema.String, message: Schema.String, points: Schema.Number }))
})

const bandOf = (score: number): string => {
  if (score < 25) return "low"
  if (score < 50) return "elevated"
  return score < 75 ? "high" : "critical"
}

const expectReport = async (screening: Screening, body: unknown) => {
  expect(body).toEqual(report(screening))
  const { band, reasons, score, verdict } = Schema.decodeUnknownSync(Report)(body)
  expect(score).toBeGreaterThanOrEqual(0)
  expect(score).toBeLessThanOrEqual(100)
  expect(band).toBe(bandOf(score))
  expect(reasons.length).toBeLessThanOrEqual(2)
  if (score >= 70) expect(verdict).toBe("avoid")
  if (verdict === "allow") expect(score).toBeLessThan(35)
  const keys = await ask(`${service().url}/.well-known/jwks.json`)
  const jwks = Schema.decodeUnknownSync(Jwks)(keys.body)
  expect(Either.isRight(verifyReport(body, jwks))).toBe(true)
  const changed = verifyReport(Object.assign({}, body, { score: score + 1 }), jwks)
  expect(Either.isLeft(changed)).toBe(true)
}

const both = ["base", "solana"] as const

describe("a paid screening", () => {
  for (const network of both) {
    for (const operation of ["ping", "deep"] as const) {
      for (const chain of both) {
        for (const method of ["GET", "POST"] as const) {
          it(`${method} ${operation} of a token on ${chain}, paid on ${network}, is delivered for exactly its price`, async () => {
            const screening = { method, operation, chain, address: tokenOn(chain) }
            const before = await readBooks(stage())
            const started = Date.now()
            const answer = await buy(screening, buyers[network]())
            expect(answer.text).not.toBe("")
            expect(answer.status).toBe(200)
            expect(answer.headers.get("content-type")).toMatch(/^application\/json/)
            expect(answer.headers.get("cache-control")).toMatch(/private/)

            const receipt = receiptOf(answer)
            expect(receipt).toMatchObject({
              success: true,
              network: network === "base" ? "eip155:8453" : "solana:5eykt4UsFv8P8NJdTREpY1vzqKqZKvdp"
            })
            expect(receipt.payer?.toLowerCase()).toBe(payerOn(network).toLowerCase())
            const price = operation === "ping" ? PING_PRICE : DEEP_PRICE
            expect(await movedSince(stage(), before)).toEqual(
              network === "base" ? onceOnBase(price) : onceOnSolana(price)
            )
            if (network === "base") {
              const { client } = stage().sandbox.base.devnet
              const hash = Schema.decodeUnknownSync(Schema.TemplateLiteral("0x", Schema.String))(
                receipt.transaction
              )
              expect((await client.getTransactionReceipt({ hash })).status).toBe("success")
            } else {
              expect(stage().sandbox.solana.ledger.find(receipt.transaction)?.error).toBeNull()
            }

            if (operation === "ping") expect(answer.body).toEqual(ping)
            else await expectReport(screening, answer.body)
            const { cacheHit, fetchedAt } = Schema.decodeUnknownSync(Dated)(answer.body)
            expect(fetchedAt).toBeLessThanOrEqual(Date.now())
            expect(fetchedAt).toBeGreaterThan(started - 30_000)
            if (!cacheHit) expect(fetchedAt).toBeGreaterThanOrEqual(started)
          })
        }
      }
    }
  }

  const unseen = ["mintable", "unlocked", "concentrated"] as const
  let attempts = 0
  it("says that a second answer within the cache's life came from the cache, and keeps the old time", async () => {
    // One that nobody has screened, also where this is tried again.
    const { address } = stage().sandbox.base.tokens[unseen[attempts++] ?? "mintable"]
    const screening: Screening = { method: "GET", operation: "ping", chain: "base", address }
    const payer = await newBasePayer(stage())
    const first = Schema.decodeUnknownSync(Dated)((await buy(screening, baseBuyer(payer))).body)
    const second = Schema.decodeUnknownSync(Dated)((await buy(screening, baseBuyer(payer))).body)
    expect(first.cacheHit).toBe(false)
    expect(second).toEqual({ fetchedAt: first.fetchedAt, cacheHit: true })
  })

  it("is the same token in any spelling of a Base address", async () => {
    const { address } = stage().sandbox.base.tokens.fee
    const payer = await newBasePayer(stage())
    const spelled = (text: string): Screening => ({
      method: "POST",
      operation: "ping",
      chain: "base",
      address: text
    })
    const first = await buy(spelled(address.toLowerCase()), baseBuyer(payer))
    const second = await buy(spelled(`0x${address.slice(2).toUpperCase()}`), baseBuyer(payer))
    expect(second.body).toEqual(Object.assign({}, first.body, { cacheHit: true }))
  })
})

describe("a contract wallet", () => {
  const buyAs = async (owner: PrivateKeyAccount) => {
    const before = await readBooks(stage())
    const answer = await buy(pingOf(stage(), "POST"), smartWalletBuyer(owner))
    return { answer, moved: await movedSince(stage(), before) }
  }

  it("pays with an ERC-1271 signature", async () => {
    const { answer, moved } = await buyAs(stage().sandbox.base.accounts.smartWalletOwner)
    expect(answer.status).toBe(200)
    expect(receiptOf(answer).payer?.toLowerCase()).toBe(SMART_WALLET.toLowerCase())
    expect(moved).toEqual(onceOnBase(PING_PRICE))
  })

  it("is refused when somebody else signs for it", async () => {
    const { answer, moved } = await buyAs(stage().sandbox.base.accounts.trader)
    expect(answer.status).toBe(402)
    expect(moved).toEqual(NOTHING)
  })

  it("pays from an account whose code is delegated to it (EIP-7702)", async () => {
    const payer = await newBasePayer(stage())
    const { base } = stage().sandbox
    const wallet = await base.devnet.client.getCode({ address: SMART_WALLET })
    // The wallet's code under the payer's own address, with the payer as its owner.
    await base.devnet.setCode(payer.address, wallet ?? "0x")
    await base.devnet.setStorage(payer.address, 0n, pad(payer.address))
    const before = await readBooks(stage())
    const answer = await buy(
      { method: "GET", operation: "ping", chain: "base", address: base.tokens.clean.address },
      baseBuyer(payer)
    )
    expect(answer.status).toBe(200)
    expect(await movedSince(stage(), before)).toEqual(onceOnBase(PING_PRICE))
  })
})

describe("dangerous tokens", () => {
  it("are never called safe, on either chain", async () => {
    const { base, solana } = stage().sandbox
    const payer = await newBasePayer(stage())
    const dangerous = [
      ["base", base.tokens.honeypot.address],
      ["solana", solana.tokens.permanentDelegate.address],
      ["solana", solana.tokens.defaultFrozen.address],
      ["solana", solana.tokens.nonTransferable.address]
    ] as const
    for (const [chain, address] of dangerous) {
      const answer = await buy({ method: "GET", operation: "ping", chain, address }, baseBuyer(payer))
      expect(answer.body).toMatchObject({ safe: false })
      const deep = await buy({ method: "GET", operation: "deep", chain, address }, baseBuyer(payer))
      expect(deep.body).toMatchObject({ verdict: "avoid" })
    }
  })
})

describe("a token nobody trades", () => {
  for (const network of both) {
    it(`is 404 and costs nothing, paid on ${network}`, async () => {
      const { base, solana } = stage().sandbox
      const before = await readBooks(stage())
      for (const operation of ["ping", "deep"] as const) {
        for (const [chain, address] of [
          ["base", base.tokens.unlisted.address],
          ["base", base.accounts.trader.address],
          ["solana", solana.tokens.unlisted.address]
        ] as const) {
          const answer = await buy({ method: "GET", operation, chain, address }, buyers[network]())
          expect(answer.status).toBe(404)
          expect(answer.body).toEqual({ error: expect.any(String) })
          expect(answer.headers.has("payment-response")).toBe(false)
        }
      }
      expect(await movedSince(stage(), before)).toEqual(NOTHING)
    })
  }

  it("leaves the payment good for another token", async () => {
    const { base } = stage().sandbox
    const payer = await newBasePayer(stage())
    const unlisted: Screening = {
      method: "GET",
      operation: "ping",
      chain: "base",
      address: base.tokens.unlisted.address
    }
    const unpaid = await screen(service().url, unlisted)
    expect(unpaid.status).toBe(402)
    const payment = await paymentFor(service().url, unlisted, baseBuyer(payer))
    expect((await pay(service().url, unlisted, payment)).status).toBe(404)
    const listed = { ...unlisted, address: base.tokens.clean.address }
    expect((await pay(service().url, listed, payment)).status).toBe(200)
  })
})
