/** The checkout's description in OpenAPI against the running service: each operation has the statuses it can give. */
import { describe, expect, it } from "@effect/vitest"
import type { Answer } from "../support/calls.ts"
import { ask, challengeOf, encode } from "../support/calls.ts"
import { newBuyer } from "../support/payment/buying.ts"
import { useService } from "../support/stage.ts"

const { service, stage } = useService(() => ({ PUBLIC_URL: undefined }))

/** Any operation may answer these: a limit, a slow body, a bug, an outage. They are tested where they are made. */
const ANYWHERE: ReadonlySet<string> = new Set(["408", "429", "500", "503"])

interface Asked {
  readonly body?: unknown
  readonly headers?: Readonly<Record<string, string>>
}

const JSON_BODY = { "content-type": "application/json" }
const NO_TOKEN = { authorization: `Bearer trm_${"A".repeat(43)}` }

const to = (method: string, path: string, { body, headers = {} }: Asked = {}): Promise<Answer> =>
  ask(`${service().url}/api/checkout/v1${path}`, {
    method,
    headers: { ...(body === undefined ? {} : JSON_BODY), ...headers },
    ...(body === undefined ? {} : { body: typeof body === "string" ? body : JSON.stringify(body) })
  })

const field = ({ body }: Answer, name: string): string => String(Object(body)[name])

/** Whatever body an operation takes: one that is broken, too large, or of another kind. */
const misread = (method: string, path: string, headers = {}) => [
  to(method, path, { body: "{", headers }),
  to(method, path, { body: `"${"x".repeat(300_000)}"`, headers }),
  to(method, path, { body: "a=1", headers: { ...headers, "content-type": "text/plain" } })
]

const shop = () => stage().sandbox.base.accounts.shop
const order = () => ({ network: "base", merchantPayTo: shop().address, amountUsd: "0.5" })
const create = async (headers = {}) =>
  field(await to("POST", "/checkout/create", { body: order(), headers }), "checkoutId")

const challenge = () =>
  to("POST", "/merchant/challenge", { body: { network: "base", merchantPayTo: shop().address } })

const signIn = async () => {
  const message = field(await challenge(), "message")
  const signature = await shop().signMessage({ message })
  const answer = await to("POST", "/merchant/token", { body: { message, signature } })
  return {
    answer,
    bearer: { authorization: `Bearer ${field(answer, "token")}` },
    tokenId: field(answer, "tokenId")
  }
}

const payment = async (id: string) => {
  const buyer = await newBuyer(stage(), "base")
  const unpaid = await to("POST", `/checkout/${id}/verify`)
  return { "payment-signature": encode(await buyer.client.createPaymentPayload(challengeOf(unpaid))) }
}

/** A paid checkout of a merchant's, and one whose clock ran out. */
const scene = async () => {
  const token = await signIn()
  const paid = await create(token.bearer)
  const first = await payment(paid)
  const second = await payment(paid)
  const answer = await to("POST", `/checkout/${paid}/verify`, { headers: first })
  const short = await stage().start({ PUBLIC_URL: undefined, CHECKOUT_TTL: "1 seconds" })
  const late = `${short.url}/api/checkout/v1/checkout`
  const made = await ask(`${late}/create`, {
    method: "POST",
    headers: JSON_BODY,
    body: JSON.stringify(order())
  })
  const expired = `${late}/${field(made, "checkoutId")}`
  const deadline = Date.parse(field(made, "expiresAt"))
  await new Promise((resolve) => setTimeout(resolve, Math.max(0, deadline - Date.now()) + 50))
  return { token, paid, second, answer, expired }
}
type Scene = Awaited<ReturnType<typeof scene>>

const byToken = (method: string, path: string, { token }: Scene, body?: unknown) => [
  to(method, path, { headers: token.bearer, ...(body === undefined ? {} : { body }) }),
  to(method, path, { headers: NO_TOKEN, ...(body === undefined ? {} : { body }) }),
  to(method, path, body === undefined ? {} : { body })
]

/** What is asked of each operation, so that it gives every answer it has. */
const PLAYS: Readonly<
  Record<string, (set: Scene) => ReadonlyArray<Promise<Answer>> | Promise<ReadonlyArray<Answer>>>
> = {
  create_checkout: (set) => [
    to("POST", "/checkout/create", {
      body: order(),
      headers: { ...set.token.bearer, "idempotency-key": "once" }
    }).then(() =>
      to("POST", "/checkout/create", {
        body: { ...order(), memo: "other" },
        headers: { ...set.token.bearer, "idempotency-key": "once" }
      })
    ),
    to("POST", "/checkout/create", { body: order() }),
    to("POST", "/checkout/create", { body: order(), headers: NO_TOKEN }),
    ...misread("POST", "/checkout/create")
  ],
  verify_checkout: async (set) => {
    const open = await create()
    const verify = `/checkout/${set.paid}/verify`
    return [
      set.answer,
      ...(await Promise.all([
        to("POST", verify, { headers: set.second }),
        to("POST", `/checkout/${open}/verify`),
        to("POST", "/checkout/chk_none/verify"),
        ask(`${set.expired}/verify`, { method: "POST" }),
        to("POST", verify, { headers: { "payment-signature": "junk" } }),
        ...misread("POST", verify)
      ]))
    ]
  },
  build_checkout_payment: async (set) => {
    const { payer, shop: merchant } = stage().sandbox.solana.accounts
    const onSolana = { network: "solana", merchantPayTo: merchant.address, amountUsd: "0.5" }
    const open = field(await to("POST", "/checkout/create", { body: onSolana }), "checkoutId")
    const account = { account: payer.address }
    return Promise.all([
      to("POST", `/checkout/${open}/transaction`, { body: account }),
      to("POST", `/checkout/${set.paid}/transaction`, { body: account }),
      to("POST", "/checkout/chk_none/transaction", { body: account }),
      ask(`${set.expired}/transaction`, {
        method: "POST",
        headers: JSON_BODY,
        body: JSON.stringify(account)
      }),
      ...misread("POST", `/checkout/${open}/transaction`)
    ])
  },
  get_checkout: (set) => [to("GET", `/checkout/${set.paid}`), to("GET", "/checkout/chk_none")],
  simulate_checkout: () => [
    to("POST", "/checkout/simulate", { body: order() }),
    ...misread("POST", "/checkout/simulate")
  ],
  create_merchant_challenge: () => [challenge(), ...misread("POST", "/merchant/challenge")],
  create_merchant_token: async (set) => {
    const message = field(await challenge(), "message")
    return [
      set.token.answer,
      ...(await Promise.all([
        to("POST", "/merchant/token", { body: { message, signature: "junk" } }),
        ...misread("POST", "/merchant/token")
      ]))
    ]
  },
  get_merchant: (set) => byToken("GET", "/merchant", set),
  update_merchant: (set) => [
    ...byToken("PATCH", "/merchant", set, { displayName: "Shop" }),
    ...misread("PATCH", "/merchant", set.token.bearer)
  ],
  list_merchant_tokens: (set) => byToken("GET", "/merchant/tokens", set),
  revoke_merchant_token: async (set) => {
    const { tokenId } = await signIn()
    return Promise.all([
      ...byToken("DELETE", `/merchant/tokens/${tokenId}`, set),
      ...byToken("DELETE", "/merchant/tokens/tok_none", set),
      to("DELETE", "/merchant/tokens/no%20id", { headers: set.token.bearer })
    ])
  },
  list_merchant_checkouts: (set) => [
    ...byToken("GET", "/merchant/checkouts", set),
    to("GET", "/merchant/checkouts?status=weird", { headers: set.token.bearer })
  ],
  list_unassigned_transfers: (set) => [
    ...byToken("GET", "/merchant/transfers", set),
    to("GET", "/merchant/transfers?limit=0", { headers: set.token.bearer })
  ],
  cancel_checkout: async (set) => {
    const open = await create(set.token.bearer)
    return Promise.all([
      ...byToken("POST", `/checkout/${open}/cancel`, set, {}),
      to("POST", `/checkout/${set.paid}/cancel`, { body: {}, headers: set.token.bearer }),
      to("POST", "/checkout/chk_none/cancel", { body: {}, headers: set.token.bearer }),
      to("POST", "/checkout/no%20id/cancel", { body: {}, headers: set.token.bearer }),
      ...misread("POST", `/checkout/${open}/cancel`, set.token.bearer)
    ])
  },
  prepare_refund: async (set) => {
    const open = await create(set.token.bearer)
    return Promise.all([
      ...byToken("POST", `/checkout/${set.paid}/refund`, set, {}),
      to("POST", `/checkout/${open}/refund`, { body: {}, headers: set.token.bearer }),
      to("POST", "/checkout/chk_none/refund", { body: {}, headers: set.token.bearer }),
      ...misread("POST", `/checkout/${open}/refund`, set.token.bearer)
    ])
  },
  replay_checkout_event: async (set) => {
    const body = { ...order(), webhookUrl: "https://shop.example/hook" }
    const id = field(await to("POST", "/checkout/create", { body, headers: set.token.bearer }), "checkoutId")
    await to("POST", `/checkout/${id}/verify`, { headers: await payment(id) })
    const replay = `/checkout/${id}/events/msg_${id}_paid/replay`
    return Promise.all([
      ...byToken("POST", replay, set, {}),
      to("POST", `/checkout/${id}/events/msg_none/replay`, { body: {}, headers: set.token.bearer }),
      to("POST", `/checkout/${id}/events/no%20event/replay`, { body: {}, headers: set.token.bearer }),
      ...misread("POST", replay, set.token.bearer)
    ])
  }
}

describe("the checkout's operations in OpenAPI", () => {
  it("have exactly the statuses the running service gives them", async () => {
    const { body } = await ask(`${service().url}/openapi.json`)
    const described: Record<string, ReadonlyArray<string>> = {}
    for (const [path, methods] of Object.entries<object>(Object(body)["paths"])) {
      if (!path.startsWith("/api/checkout/")) continue
      for (const operation of Object.values(methods))
        described[String(operation.operationId)] = Object.keys(operation.responses)
    }
    expect(Object.keys(described).toSorted()).toEqual(Object.keys(PLAYS).toSorted())
    const set = await scene()
    for (const [id, play] of Object.entries(PLAYS)) {
      const answers = await Promise.all(await play(set))
      const given = new Set(answers.map(({ status }) => String(status)))
      const expected = (described[id] ?? []).filter((status) => !ANYWHERE.has(status))
      expect([id, ...[...given].filter((status) => !ANYWHERE.has(status)).toSorted()]).toEqual([
        id,
        ...expected
      ])
      for (const { body: error, status } of answers)
        if (status >= 400 && status !== 402) expect([id, Object.keys(Object(error))]).toEqual([id, ["error"]])
    }
  }, 120_000)
})
