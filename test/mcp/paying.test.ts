import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client"
import { expect } from "@effect/vitest"
import { Effect, Either, Schema } from "effect"
import { Jwks, verifyReport } from "../../src/domain/attestation.ts"
import { PaymentRequired, SettlementResponse } from "../../src/domain/x402.ts"
import { MCP_PATH } from "../../src/domain/catalog.ts"
import { againstService, RunningService } from "../support/service.ts"
import type { Buyer } from "../../scripts/sandbox/buyer.ts"
import { baseBuyer, solanaBuyer } from "../support/sandbox.ts"
import type { Sandbox } from "../../scripts/sandbox/sandbox.ts"

const DEEP = "check_token_risk_deep"
const PRICE = 40_000n

const connect = (url: string) =>
  Effect.acquireRelease(
    Effect.promise(async () => {
      const client = new Client({ name: "buyer", version: "1" })
      await client.connect(new StreamableHTTPClientTransport(new URL(url + MCP_PATH)))
      return client
    }),
    (client) => Effect.promise(() => client.close())
  )

const call = (client: Client, args: Record<string, unknown>, meta: Record<string, unknown> = {}) =>
  Effect.promise(() => client.callTool({ name: DEEP, arguments: args, _meta: meta }))

const decodeChallenge = Schema.decodeUnknownSync(PaymentRequired)
const decodeReceipt = Schema.decodeUnknownSync(SettlementResponse)

/** A payment for the first of the terms that the buyer's client can sign, made by the official x402 client. */
const sign = ({ client }: Buyer, challenge: PaymentRequired, network: string) =>
  Effect.promise(() =>
    client.createPaymentPayload({
      ...challenge,
      extensions: { ...challenge.extensions },
      accepts: challenge.accepts
        .filter((terms) => terms.network.startsWith(network))
        .map((terms) => ({ ...terms, extra: { ...terms.extra } }))
    })
  )

const jwksOf = (url: string) =>
  Effect.promise(async (): Promise<unknown> => (await fetch(`${url}/.well-known/jwks.json`)).json()).pipe(
    Effect.flatMap(Schema.decodeUnknown(Jwks))
  )

interface Case {
  readonly chain: "base" | "solana"
  readonly network: string
  readonly token: (sandbox: Sandbox) => string
  readonly buyer: (sandbox: Sandbox) => Buyer
  readonly sellerBalance: (sandbox: Sandbox) => Effect.Effect<bigint>
  readonly transaction: RegExp
}

const CASES: ReadonlyArray<Case> = [
  {
    chain: "base",
    network: "eip155",
    token: ({ base }) => base.tokens.clean.address,
    buyer: ({ base }) => baseBuyer(base.accounts.payer),
    sellerBalance: ({ base }) => base.usdcBalance(base.accounts.merchant.address),
    transaction: /^0x[0-9a-f]{64}$/
  },
  {
    chain: "solana",
    network: "solana",
    token: ({ solana }) => solana.tokens.clean.address,
    buyer: ({ solana }) => solanaBuyer(solana.accounts.payer, solana.url),
    sellerBalance: ({ solana }) => solana.usdcBalance(solana.accounts.merchant.address),
    transaction: /^[1-9A-HJ-NP-Za-km-z]{80,90}$/
  }
]

againstService("a paying MCP client", (it) => {
  for (const { buyer, chain, network, sellerBalance, token, transaction } of CASES) {
    it.scoped(
      `pays on ${chain} with the official clients, gets a verifiable report, and pays once however often it repeats`,
      () =>
        Effect.gen(function* () {
          const { sandbox, service } = yield* RunningService
          const client = yield* connect(service.url)
          const args = { chain, address: token(sandbox) }
          const unpaid = yield* call(client, args)
          const payment = yield* sign(buyer(sandbox), decodeChallenge(unpaid.structuredContent), network)
          const before = yield* sellerBalance(sandbox)

          const paid = yield* call(client, args, { "x402/payment": payment })
          expect(paid.isError).toBeFalsy()
          const report = verifyReport(paid.structuredContent, yield* jwksOf(service.url))
          expect(Either.map(report, ({ verdict, free }) => ({ verdict, free }))).toEqual(
            Either.right({ verdict: "allow", free: false })
          )
          const receipt = decodeReceipt(paid._meta?.["x402/payment-response"])
          expect(receipt.success).toBe(true)
          expect(receipt.transaction).toMatch(transaction)

          const repeated = yield* call(client, args, { "x402/payment": payment })
          expect(repeated.structuredContent).toEqual(paid.structuredContent)
          expect((yield* sellerBalance(sandbox)) - before).toBe(PRICE)
        })
    )
  }

  it.scoped("a client of Cloudflare's dialect finds the terms in _meta and pays with base64 text", () =>
    Effect.gen(function* () {
      const { sandbox, service } = yield* RunningService
      const client = yield* connect(service.url)
      // As recorded from cloudflare/agents: prices from the tool's _meta, terms from the result's, text back.
      const { tools } = yield* Effect.promise(() => client.listTools())
      expect(tools.find(({ name }) => name === DEEP)?._meta).toMatchObject({
        "agents-x402/paymentRequired": true,
        "agents-x402/priceUSD": 0.04
      })
      const args = { chain: "base", address: sandbox.base.tokens.honeypot.address }
      const unpaid = yield* call(client, args)
      expect(unpaid.isError).toBe(true)
      const challenge = decodeChallenge(unpaid._meta?.["x402/error"])
      const payment = yield* sign(baseBuyer(sandbox.base.accounts.payer), challenge, "eip155")
      const text = Buffer.from(JSON.stringify(payment)).toString("base64")
      const paid = yield* call(client, args, { "x402/payment": text })
      expect(paid.structuredContent).toMatchObject({ verdict: "avoid", score: 100 })
      expect(paid._meta?.["x402/payment-response"]).toMatchObject({
        success: true,
        network: "eip155:8453"
      })
    })
  )

  it.scoped("a call with a client id in _meta is free", () =>
    Effect.gen(function* () {
      const { sandbox, service } = yield* RunningService
      const client = yield* connect(service.url)
      const args = { chain: "base", address: sandbox.base.tokens.clean.address }
      const free = yield* call(client, args, { "token-risk/client-id": "an-agent" })
      expect(free.structuredContent).toMatchObject({ free: true })
      expect(free._meta?.["x402/payment-response"]).toBeUndefined()
    })
  )
})
