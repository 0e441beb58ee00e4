/** Purchases on either network for the end-to-end tests of payments. */
import { expect } from "@effect/vitest"
import type { Effect, Scope } from "effect"
import type { Buyer } from "../../../scripts/sandbox/buyer.ts"
import type { RpcProxy } from "../../../scripts/sandbox/rpc-proxy.ts"
import type { Sandbox } from "../../../scripts/sandbox/sandbox.ts"
import type { Answer, Screening } from "../calls.ts"
import { paymentFor } from "../calls.ts"
import { baseBuyer, solanaBuyer, startRpcProxy } from "../sandbox.ts"
import type { Books } from "../books.ts"
import type { Stage } from "../stage.ts"
import { onceOnBase, onceOnSolana } from "../books.ts"
import { newBasePayer, newSolanaPayer } from "../stage.ts"

export const networks = ["base", "solana"] as const
export type Network = (typeof networks)[number]

/** A buyer nobody has seen, with 10 USDC. */
export const newBuyer = async (stage: Stage, network: Network): Promise<Buyer> =>
  network === "base"
    ? baseBuyer(await newBasePayer(stage))
    : solanaBuyer(await newSolanaPayer(stage), stage.sandbox.solana.url)

/** One transfer of `price` on a network, by one transaction of ours. */
export const once = (network: Network, price: bigint): Books =>
  network === "base" ? onceOnBase(price) : onceOnSolana(price)

/** One on each. */
export const onceOnBoth = (price: bigint): Books => ({
  base: price,
  solana: price,
  sentOnBase: 1,
  sentOnSolana: 1
})

export const cleanToken = (stage: Stage, chain: Network): string =>
  chain === "base" ? stage.sandbox.base.tokens.clean.address : stage.sandbox.solana.tokens.clean.address

/** A ping of the honest token on Base. */
export const pingOf = (stage: Stage, method: Screening["method"] = "GET"): Screening => ({
  method,
  operation: "ping",
  chain: "base",
  address: cleanToken(stage, "base")
})

/** A payment by a new buyer, as a header value. */
export const newPayment = async (stage: Stage, url: string, screening: Screening, network: Network) =>
  paymentFor(url, screening, await newBuyer(stage, network))

/** A screening of a token on the chain that is not in trouble. */
export const screeningBeside = (stage: Stage, network: Network): Screening => {
  const chain = network === "base" ? "solana" : "base"
  return { method: "POST", operation: "ping", chain, address: cleanToken(stage, chain) }
}

/** Delivered, and the same bytes with the same receipt. */
export const expectSame = (answers: ReadonlyArray<Answer>): void => {
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200))
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1)
  expect(new Set(answers.map(({ headers }) => headers.get("payment-response"))).size).toBe(1)
}

/** Open: whoever asks is told to come again with the same payment, and signs no second one. */
export const expectUnknown = (answer: Answer): void => {
  expect(answer.status).toBe(503)
  expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0)
  expect(answer.headers.has("payment-required")).toBe(false)
  expect(answer.body).toEqual({ error: expect.stringContaining("same payment") })
}

/** What our service sends a transfer with, and what it looks for it with. */
export const sendOf = (network: Network) =>
  network === "base" ? "eth_sendRawTransaction" : "sendTransaction"
export const lookOf = (network: Network) =>
  network === "base" ? "eth_getTransactionReceipt" : "getSignatureStatuses"

export type Proxies = Readonly<Record<Network, RpcProxy>>

/** A proxy with faults in front of each chain. */
export const startProxies = async (
  run: <A>(effect: Effect.Effect<A, never, Scope.Scope>) => Promise<A>,
  { base, solana }: Sandbox
): Promise<Proxies> => ({
  base: await run(startRpcProxy(base.url)),
  solana: await run(startRpcProxy(solana.url))
})

export const through = ({ base, solana }: Proxies) => ({
  BASE_RPC_URL: base.url,
  SOLANA_RPC_URL: solana.url
})

/** A payment as it is without a resource: nothing but the ledger binds it to its request. */
export const bare = <A, P>({
  accepted,
  payload,
  x402Version
}: {
  readonly accepted: A
  readonly payload: P
  readonly x402Version: number
}) => ({ x402Version, accepted, payload })
