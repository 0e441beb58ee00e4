/** What is measured. Requests are made, and signed, before the clock runs. */
import { BASE_USDC } from "../../src/domain/chain.ts"
import { Option, Schema } from "effect"
import type { Sandbox } from "../sandbox/sandbox.ts"
import { pingToolCall } from "../sandbox/tool-call.ts"
import type { Purse, PayingNetwork } from "./buying.ts"
import { headerOf, termsAt } from "./buying.ts"
import type { Contender, Name } from "./contenders.ts"
import type { Asked } from "./load.ts"

/** What the requests of a case are made from. */
export interface Shop {
  readonly sandbox: Sandbox
  readonly purses: Readonly<Record<PayingNetwork, Purse>>
}

export interface Case {
  readonly id: string
  readonly title: string
  readonly contenders: ReadonlyArray<Name>
  /** Requests in one turn of one contender, in full and in the quick form. */
  readonly requests: readonly [full: number, quick: number]
  /**
   * Requests to each contender before anything is counted; one turn at least. A server that has seen a thousand spends
   * half of its processor's time on compiling what the next thousand find compiled.
   */
  readonly warmUp: readonly [full: number, quick: number]
  readonly connections: number
  /**
   * Whether the connections have asked before the clock runs, as those of a caller who keeps them have. Else what is
   * measured is also how fifty connections are taken that come at once, one in each round of the event loop.
   */
  readonly isOpen: boolean
  /** The status every answer must have. */
  readonly status: number
  readonly make: (shop: Shop, to: Contender, count: number) => Promise<ReadonlyArray<Asked>>
}

const PING = "/api/token-risk/v1/ping"
const DEEP = "/api/token-risk/v1/deep"
const MCP = "/api/token-risk/mcp"
const JSON_HEADERS = { "content-type": "application/json" }
const MCP_HEADERS = { ...JSON_HEADERS, accept: "application/json, text/event-stream" }
const ALL: ReadonlyArray<Name> = ["token-risk", "hono", "express", "node"]
const SELLERS: ReadonlyArray<Name> = ["token-risk", "hono", "express"]
const OURS: ReadonlyArray<Name> = ["token-risk"]

const times = <A>(count: number, make: () => A): ReadonlyArray<A> => Array.from({ length: count }, make)

/** One at a time: the client of Solana asks the chain for each. */
const signed = async <A>(count: number, make: () => Promise<A>): Promise<ReadonlyArray<A>> => {
  const made: Array<A> = []
  while (made.length < count) made.push(await make())
  return made
}

const tokenOf = ({ base, solana }: Sandbox, chain: PayingNetwork): string =>
  JSON.stringify({
    chain,
    address: chain === "base" ? base.tokens.clean.address : solana.tokens.clean.address
  })

const post = (url: string, body: string, headers: Readonly<Record<string, string>> = {}): Asked => ({
  method: "POST",
  url,
  body,
  headers: { ...JSON_HEADERS, ...headers }
})

const unpaid =
  (method: "GET" | "POST"): Case["make"] =>
  async ({ sandbox }, { url }, count) => {
    const address = sandbox.base.tokens.clean.address
    const asked: Asked =
      method === "POST"
        ? post(url + PING, tokenOf(sandbox, "base"))
        : { method, url: `${url}${PING}?chain=base&address=${address}`, headers: {}, body: undefined }
    return times(count, () => asked)
  }

/** Terms hold one network only, so that the client has no choice. */
const termsFor = async (url: string, network: PayingNetwork) => {
  const terms = await termsAt(url)
  const accepts = terms.accepts.filter((one) => one.network.startsWith("eip155:") === (network === "base"))
  return { ...terms, accepts }
}

const paid =
  (path: string, network: PayingNetwork): Case["make"] =>
  async ({ purses, sandbox }, { url }, count) => {
    const terms = await termsFor(url + path, network)
    const body = tokenOf(sandbox, "base")
    return signed(count, async () =>
      post(url + path, body, { "payment-signature": headerOf(await purses[network].pay(terms)) })
    )
  }

const free: Case["make"] = async ({ sandbox }, { url }, count) => {
  const asked = post(url + DEEP, tokenOf(sandbox, "base"), { "x-client-id": "bench" })
  return times(count, () => asked)
}

const call = ({ base }: Sandbox, meta: Readonly<Record<string, unknown>>): string =>
  pingToolCall(base.tokens.clean.address, meta)

const mcpUnpaid: Case["make"] = async ({ sandbox }, { url }, count) => {
  const asked = post(url + MCP, call(sandbox, {}), MCP_HEADERS)
  return times(count, () => asked)
}

/** Lists of the tools: what the protocol's library does for every request that is not answered from prepared bytes. */
export const toolLists = ({ url }: Contender, count: number) => {
  const asked = post(url + MCP, JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }), MCP_HEADERS)
  return times(count, () => asked)
}

const mcpList: Case["make"] = async (_shop, contender, count) => toolLists(contender, count)

const mcpPaid: Case["make"] = async ({ purses, sandbox }, { url }, count) => {
  const terms = await termsFor(url + PING, "base")
  const tool = { ...terms, resource: { url: url + MCP } }
  return signed(count, async () =>
    post(url + MCP, call(sandbox, { "x402/payment": await purses.base.pay(tool) }), MCP_HEADERS)
  )
}

/** Well-formed, and signed by somebody else than it says. */
const forged: Case["make"] = async (shop, to, count) => {
  const [first] = await paid(PING, "base")(shop, to, 1)
  if (first === undefined) return []
  const payload = JSON.parse(Buffer.from(first.headers["payment-signature"] ?? "", "base64").toString())
  const nonce = () =>
    `0x${Math.floor(Math.random() * 2 ** 48)
      .toString(16)
      .padStart(64, "0")}`
  return times(count, () => {
    payload.payload.authorization.nonce = nonce()
    const header = Buffer.from(JSON.stringify(payload)).toString("base64")
    return { ...first, headers: { ...first.headers, "payment-signature": header } }
  })
}

const invalid: Case["make"] = async (_shop, { url }, count) =>
  times(count, () => post(url + PING, '{"chain":"base","address":"0x12"}'))

const decodeTerms = Schema.decodeUnknownOption(
  Schema.Struct({
    checkoutId: Schema.String,
    url: Schema.String,
    maxTimeoutSeconds: Schema.Number,
    extra: Schema.Record({ key: Schema.String, value: Schema.Unknown })
  })
)

const created = async (url: string, merchantPayTo: string) => {
  const body = JSON.stringify({ network: "base", merchantPayTo, amountUsd: "0.05", memo: "bench" })
  const response = await fetch(`${url}/api/checkout/v1/checkout/create`, {
    method: "POST",
    headers: JSON_HEADERS,
    body
  })
  const terms = Option.getOrUndefined(decodeTerms(await response.json()))
  if (terms === undefined) throw new Error(`checkout/create answered ${response.status}`)
  return terms
}

const checkout: Case["make"] = async ({ purses, sandbox }, { url }, count) => {
  const shop = sandbox.base.accounts.shop.address
  const template = await termsFor(url + PING, "base")
  return signed(count, async () => {
    const { checkoutId, extra, maxTimeoutSeconds, url: resource } = await created(url, shop)
    const accepts = template.accepts.map((one) => ({
      ...one,
      extra,
      maxTimeoutSeconds,
      amount: "50000",
      asset: BASE_USDC,
      payTo: shop
    }))
    const paymentSignature = headerOf(
      await purses.base.pay({ ...template, resource: { url: resource }, accepts })
    )
    return post(`${url}/api/checkout/v1/checkout/${checkoutId}/verify`, JSON.stringify({ paymentSignature }))
  })
}

type Load = Partial<Pick<Case, "contenders" | "connections" | "isOpen" | "status" | "warmUp">> &
  Pick<Case, "requests">

const measured = (id: string, title: string, make: Case["make"], load: Load): Case => ({
  id,
  title,
  make,
  contenders: OURS,
  connections: 16,
  isOpen: false,
  status: 200,
  warmUp: [0, 0],
  ...load
})

const BOTH: ReadonlyArray<Name> = ["token-risk", "hono"]

export const CASES: ReadonlyArray<Case> = [
  measured("402", "unpaid 402 (POST)", unpaid("POST"), {
    contenders: ALL,
    requests: [10_000, 5_000],
    warmUp: [30_000, 15_000],
    status: 402
  }),
  measured("402-get", "unpaid 402 (GET)", unpaid("GET"), {
    contenders: ALL,
    requests: [10_000, 5_000],
    warmUp: [30_000, 15_000],
    status: 402
  }),
  measured("ping-base", "paid ping, Base", paid(PING, "base"), {
    contenders: SELLERS,
    requests: [200, 100],
    warmUp: [2_400, 500],
    connections: 10
  }),
  measured("deep-base", "paid deep, Base", paid(DEEP, "base"), { requests: [40, 20], connections: 10 }),
  measured("ping-solana", "paid ping, Solana", paid(PING, "solana"), {
    contenders: BOTH,
    requests: [200, 100],
    warmUp: [2_400, 500],
    connections: 10
  }),
  measured("deep-solana", "paid deep, Solana", paid(DEEP, "solana"), { requests: [20, 10], connections: 5 }),
  // Of 10,000 answers the slowest hundredth are two rounds of the event loop, so it takes 100,000 to know it.
  measured("deep-free", "free deep, warm, 50 kept connections", free, {
    requests: [20_000, 20_000],
    warmUp: [30_000, 30_000],
    connections: 50,
    isOpen: true
  }),
  measured("mcp-unpaid", "MCP, unpaid", mcpUnpaid, { requests: [10_000, 5_000], warmUp: [30_000, 15_000] }),
  measured("mcp-list", "MCP, list of tools", mcpList, { requests: [300, 300], warmUp: [3_000, 1_500] }),
  measured("mcp-paid", "MCP, paid ping, Base", mcpPaid, {
    requests: [100, 50],
    warmUp: [500, 250],
    connections: 10
  }),
  measured("reject-input", "reject: invalid input", invalid, { requests: [500, 200], status: 400 }),
  measured("reject-forged", "reject: forged signature", forged, {
    contenders: BOTH,
    requests: [100, 40],
    connections: 10,
    status: 402
  }),
  measured("checkout", "checkout verify, Base", checkout, { requests: [20, 10], connections: 5 })
]
