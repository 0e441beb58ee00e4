import { describe, expect, it } from "@effect/vitest"
import { createKeyPairSignerFromPrivateKeyBytes, getBase58Decoder, signBytes } from "@solana/kit"
import { Effect } from "effect"
import { SOLANA_NETWORK } from "../../src/domain/chain.ts"
import { cors } from "../../src/http/cors.ts"
import { stranger, wallet, withDesk } from "../support/checkout/desk.ts"
import { PUBLIC_URL } from "../support/checkout/shop.ts"

const ROOT = "https://any.test/api/checkout/v1"
/** Another account on Solana. */
const OTHER = "7EcDhSYGxXyscszYEp35KHN8vvw3svAuLKTzXwCFLtV"
const NO_TOKEN = `Bearer trm_${"A".repeat(43)}`

describe("signing in over HTTP", () => {
  it(
    "gives a token for a signed challenge, once",
    withDesk(async ({ ask, post, prove }) => {
      const proof = await prove()
      const first = await post("/merchant/token", proof)
      expect(first.status).toBe(200)
      expect(first.json.token).toMatch(/^trm_/)
      const again = await post("/merchant/token", proof)
      expect([again.status, Object.keys(again.json)]).toEqual([400, ["error"]])
      const mine = await ask("/merchant", { token: `Bearer ${first.json.token}` })
      expect(mine.json).toMatchObject({ network: "eip155:8453" })
    })
  )

  it(
    "takes a Solana wallet's signature of a challenge of the same shape, and opens that account alone",
    withDesk(async ({ ask, post }) => {
      const signer = await createKeyPairSignerFromPrivateKeyBytes(new Uint8Array(32).fill(9))
      const account = { network: "solana", merchantPayTo: signer.address }
      const { json } = await post("/merchant/challenge", account)
      expect(json.message).toContain("wants you to sign in with your Solana account:")
      expect(json.message).toContain(`\n${signer.address}\n`)
      const bytes = await signBytes(signer.keyPair.privateKey, new TextEncoder().encode(json.message))
      const proof = { message: json.message, signature: getBase58Decoder().decode(bytes), label: "till" }
      const { message } = (await post("/merchant/challenge", { ...account, merchantPayTo: OTHER })).json
      expect((await post("/merchant/token", { ...proof, message })).status).toBe(401)
      const signedIn = await post("/merchant/token", proof)
      expect(signedIn.status).toBe(200)
      expect((await post("/merchant/token", proof)).status).toBe(400)
      const token = `Bearer ${signedIn.json.token}`
      expect((await ask("/merchant", { token })).json).toMatchObject({ network: SOLANA_NETWORK })
      const order = { ...account, amountUsd: "1", metadata: { table: "7" } }
      expect((await post("/checkout/create", order, token)).status).toBe(200)
      expect((await post("/checkout/create", { ...order, merchantPayTo: OTHER }, token)).status).toBe(400)
    })
  )

  it(
    "refuses another domain's message, a changed one, and a signature that is not the account's or none at all",
    withDesk(async ({ post, prove }) => {
      const proof = await prove()
      const elsewhere = proof.message.replaceAll(new URL(PUBLIC_URL).host, "evil.test")
      const moved = { message: elsewhere, signature: await wallet.signMessage({ message: elsewhere }) }
      expect((await post("/merchant/token", moved)).status).toBe(400)
      const changed = proof.message.replace("moves no money", "moves all money")
      const signed = { message: changed, signature: await wallet.signMessage({ message: changed }) }
      expect((await post("/merchant/token", signed)).status).toBe(400)
      const junk = await post("/merchant/token", { ...proof, signature: "junk" })
      expect([junk.status, Object.keys(junk.json)]).toEqual([401, ["error"]])
      // A signature of the right form is asked of the account's contract, and the node is out of reach here.
      expect((await post("/merchant/token", await prove(stranger))).status).toBe(503)
    })
  )

  it.each(["/merchant", "/merchant/tokens", "/merchant/checkouts", "/merchant/transfers"])(
    "answers %s to nobody without a valid token",
    (path) =>
      withDesk(async ({ ask }) => {
        expect((await ask(path, { token: NO_TOKEN })).status).toBe(401)
        expect((await ask(path, { token: "Basic x" })).status).toBe(401)
        const without = await ask(path)
        expect([without.status, without.json]).toEqual([
          401,
          {
            error:
              "authorization: must be Bearer and a merchant token (POST /merchant/challenge leads to one)"
          }
        ])
      })()
  )
})

describe("a merchant's endpoints", () => {
  it(
    "change the settings member by member, and refuse what is no setting",
    withDesk(async ({ ask, signIn }) => {
      const { bearer: token } = await signIn()
      const change = (body: unknown) => ask("/merchant", { method: "PATCH", body, token })
      expect((await change({ displayName: "Café", logoText: "C" })).status).toBe(200)
      expect((await change({ successUrl: "https://shop.example/thanks" })).json.settings).toMatchObject({
        displayName: "Café",
        logoText: "C",
        successUrl: "https://shop.example/thanks"
      })
      for (const wrong of [
        { displayName: "x".repeat(65) },
        { displayName: "evil\u202egnp.exe" },
        { logoText: "12345" },
        { successUrl: "http://shop.example/" },
        { cancelUrl: "javascript:alert(1)" },
        { webhookUrl: "https://10.0.0.1/" },
        { webhookURL: "https://shop.example/hook" }
      ]) {
        expect((await change(wrong)).status).toBe(400)
      }
      expect((await change({ displayName: null })).json.settings.displayName).toBeNull()
    })
  )

  it(
    "rotate tokens: a new one, then the old one revoked",
    withDesk(async ({ ask, signIn }) => {
      const old = await signIn()
      const fresh = await signIn()
      const listed = await ask("/merchant/tokens", { token: fresh.bearer })
      expect(listed.json.tokens.map((one: { tokenId: string }) => one.tokenId).toSorted()).toEqual(
        [old.tokenId, fresh.tokenId].toSorted()
      )
      expect(JSON.stringify(listed.json)).not.toContain("trm_")
      const revoke = () => ask(`/merchant/tokens/${old.tokenId}`, { method: "DELETE", token: fresh.bearer })
      expect((await revoke()).status).toBe(204)
      expect(await revoke()).toMatchObject({ status: 404, json: { error: "no such token" } })
      expect((await ask("/merchant", { token: old.bearer })).status).toBe(401)
      expect((await ask("/merchant", { token: fresh.bearer })).status).toBe(200)
    })
  )

  it(
    "list and search own checkouts page by page, cancel them, and know no others",
    withDesk(async ({ ask, post, signIn }) => {
      const { bearer: token } = await signIn()
      const order = { network: "base", merchantPayTo: wallet.address, amountUsd: "1" }
      const create = async (memo: string, by?: string) =>
        (await post("/checkout/create", { ...order, memo }, by)).json.checkoutId
      const ids = [await create("a-1", token), await create("a-2", token), await create("b_%", token)]
      const strangers = await create("a-3")
      const memos = async (query: string) =>
        (await ask(`/merchant/checkouts${query}`, { token })).json.checkouts.map(
          (one: { terms: { memo: string } }) => one.terms.memo
        )
      expect((await memos("")).toSorted()).toEqual(["a-1", "a-2", "b_%"])
      expect((await memos("?memo=a-")).toSorted()).toEqual(["a-1", "a-2"])
      expect(await memos("?memo=_%25")).toEqual(["b_%"])
      const first = await ask("/merchant/checkouts?limit=2", { token })
      expect(first.json.checkouts).toHaveLength(2)
      expect(await memos(`?limit=2&before=${first.json.next}`)).toHaveLength(1)
      // Texts that no database would take are wrong input, not an outage.
      const cursor = Buffer.from("1.\u0000", "utf8").toString("base64url")
      for (const wrong of ["checkouts?before=zz", `checkouts?before=${cursor}`, "checkouts?memo=%00"])
        expect((await ask(`/merchant/${wrong}`, { token })).status).toBe(400)
      expect((await ask(`/merchant/transfers?before=${cursor}`, { token })).status).toBe(400)
      for (const limit of ["101", "0", "many"])
        expect(await ask(`/merchant/checkouts?limit=${limit}`, { token })).toMatchObject({
          status: 400,
          json: { error: "limit: must be a whole number from 1 to 100" }
        })
      expect(await ask("/merchant/checkouts?status=done", { token })).toMatchObject({
        status: 400,
        json: { error: "status: must be open, processing, paid, expired or cancelled" }
      })
      const cancelled = await post(`/checkout/${ids[0]}/cancel`, {}, token)
      expect([cancelled.status, cancelled.json.status]).toEqual([200, "cancelled"])
      expect(await memos("?status=cancelled")).toEqual(["a-1"])
      for (const id of [strangers, "chk_x"]) {
        expect((await post(`/checkout/${id}/cancel`, {}, token)).status).toBe(404)
        expect((await post(`/checkout/${id}/events/msg_x/replay`, {}, token)).status).toBe(404)
      }
      expect(await post(`/checkout/${ids[1]}/events/msg_x/replay`, {}, token)).toMatchObject({
        status: 404,
        json: { error: "no such event of this checkout" }
      })
      expect((await post(`/checkout/${ids[1]}/cancel`, {}, NO_TOKEN)).status).toBe(401)
    })
  )

  it(
    "prepare no refund of what nobody paid, nor of another account's checkout",
    withDesk(async ({ post, signIn }) => {
      const { bearer: token } = await signIn()
      const order = { network: "base", amountUsd: "1" }
      const own = (await post("/checkout/create", { ...order, merchantPayTo: wallet.address })).json
      const other = (await post("/checkout/create", { ...order, merchantPayTo: stranger.address })).json
      const refund = async (id: string) => (await post(`/checkout/${id}/refund`, {}, token)).status
      expect([await refund(own.checkoutId), await refund(other.checkoutId)]).toEqual([409, 404])
    })
  )

  it(
    "prepare no refund of all for a request whose amount has another name",
    withDesk(async ({ post, signIn }) => {
      const { bearer: token } = await signIn()
      const order = { network: "base", merchantPayTo: wallet.address, amountUsd: "1" }
      const { checkoutId } = (await post("/checkout/create", order)).json
      for (const misspelled of [{ amount: "0.5" }, { amountUSD: "0.5" }])
        expect(await post(`/checkout/${checkoutId}/refund`, misspelled, token)).toMatchObject({
          status: 400,
          json: { error: "body: has a member that is not taken here: /openapi.json lists those that are" }
        })
    })
  )
})

describe("browsers of another origin", () => {
  it("may send a merchant's token, and change and delete", async () => {
    const app = cors(Effect.die("a preflight reaches no handler"))
    const request = new Request(`${ROOT}/merchant`, {
      method: "OPTIONS",
      headers: { origin: "https://desk.example", "access-control-request-method": "PATCH" }
    })
    const { HttpApp } = await import("@effect/platform")
    const answer = await HttpApp.toWebHandler(app)(request)
    expect(answer.headers.get("access-control-allow-methods")).toContain("PATCH, DELETE")
    expect(answer.headers.get("access-control-allow-headers")).toContain("Authorization")
  })
})
