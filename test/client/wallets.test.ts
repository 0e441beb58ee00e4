import { findAssociatedTokenPda } from "@solana-program/token-2022"
import { address, getAddressCodec, getAddressDecoder } from "@solana/kit"
import { afterEach, describe, expect, it, vi } from "@effect/vitest"
import * as fc from "fast-check"
import { evmAccount, solanaSigner } from "../../scripts/sandbox/accounts.ts"
import { evmWallet, solanaWallet, SOLANA_NETWORK, BASE_NETWORK, USDC } from "../../src/client/index.ts"
import type { PaymentRequirements, Wallet } from "../../src/client/index.ts"
import { fromBase58 } from "../../src/domain/base58.ts"
import { SOLANA_PROGRAMS } from "../../src/domain/solana-programs.ts"
import * as ours from "../../src/client/solana-address.ts"
import { Eip3009Payload, SvmPayload } from "../../src/domain/x402.ts"
import { verifyEip3009 } from "../../src/payment/verifier/evm/verify-locally.ts"
import { verifySvm } from "../../src/payment/verifier/svm/verify-locally.ts"
import { Schema } from "effect"

const requirements = (changes: Partial<PaymentRequirements>): PaymentRequirements => ({
  scheme: "exact",
  network: BASE_NETWORK,
  amount: "5000",
  asset: USDC[changes.network ?? BASE_NETWORK],
  payTo: "0x000000000000000000000000000000000000dEaD",
  maxTimeoutSeconds: 60,
  extra: { name: "USD Coin", version: "2" },
  ...changes
})

const payloadOf = async (
  wallet: Wallet,
  chosen: PaymentRequirements,
  extensions?: Record<string, unknown>
) => {
  const challenge = {
    x402Version: 2,
    error: "Payment Required",
    resource: { url: "https://risk.test/x", description: "", mimeType: "" },
    accepts: [chosen],
    ...(extensions === undefined ? {} : { extensions })
  } as const
  return JSON.parse(Buffer.from(await wallet.sign(challenge, chosen), "base64").toString("utf8"))
}

afterEach(() => {
  vi.unstubAllGlobals()
})

/** A Solana node that knows one blockhash, and how often it was asked for it. */
const stubRpc = (blockhash: string) => {
  const rpc = vi.fn(async () => Response.json({ jsonrpc: "2.0", id: 1, result: { value: { blockhash } } }))
  vi.stubGlobal("fetch", rpc)
  return rpc
}

const BLOCKHASH = "4sGjMW1sUnHzSxGspuhpqLDx6wiyjNtZAMdL4VZHirAn"

describe("a wallet on Base", () => {
  it("signs what the service accepts, with a new nonce each time", async () => {
    const chosen = requirements({})
    const wallet = evmWallet(evmAccount("payer"))
    const [first, second] = [await payloadOf(wallet, chosen), await payloadOf(wallet, chosen)]
    const payload = Schema.decodeUnknownSync(Eip3009Payload)(first.payload)
    const now = BigInt(Math.floor(Date.now() / 1_000))
    expect(await verifyEip3009(payload, chosen, now)).toMatchObject({ ok: true, signatureVerified: true })
    expect(first.payload.authorization.nonce).not.toBe(second.payload.authorization.nonce)
    expect(first.accepted).toEqual(chosen)
  })

  it("echoes the challenge's extensions, as x402 v2 asks", async () => {
    const sent = await payloadOf(evmWallet(evmAccount("payer")), requirements({}), { bazaar: { info: 1 } })
    expect(sent.extensions).toEqual({ bazaar: { info: 1 } })
  })
})

describe("a wallet on Solana", () => {
  it("signs what the service accepts, from a kit signer, after one question to the node", async () => {
    const rpc = stubRpc(BLOCKHASH)
    const signer = await solanaSigner("payer")
    const chosen = requirements({
      network: SOLANA_NETWORK,
      payTo: (await solanaSigner("merchant")).address,
      extra: { feePayer: (await solanaSigner("fee payer")).address }
    })
    const { payload } = await payloadOf(solanaWallet(signer, "https://rpc.test"), chosen)
    const decoded = Schema.decodeUnknownSync(SvmPayload)(payload)
    expect(await verifySvm(decoded, chosen)).toMatchObject({
      ok: true,
      payer: signer.address,
      signatureVerified: true
    })
    expect(rpc).toHaveBeenCalledTimes(1)
  })

  it("asks for the newest blockhash that is confirmed: of a final one a fifth of its life is over", async () => {
    const asked: Array<unknown> = []
    vi.stubGlobal("fetch", async (_url: string, init: RequestInit) => {
      asked.push(JSON.parse(String(init.body)))
      return Response.json({ result: { value: { blockhash: BLOCKHASH } } })
    })
    const feePayer = (await solanaSigner("fee payer")).address
    const chosen = requirements({ network: SOLANA_NETWORK, payTo: feePayer, extra: { feePayer } })
    await payloadOf(solanaWallet(await solanaSigner("payer"), "https://rpc.test"), chosen)
    expect(asked).toMatchObject([{ method: "getLatestBlockhash", params: [{ commitment: "confirmed" }] }])
  })

  it("presents the name and password of its node's address, and repeats them in no error", async () => {
    const presented: Array<string | null> = []
    vi.stubGlobal("fetch", async (url: string, init: RequestInit) => {
      presented.push(new Request(url, init).headers.get("authorization"))
      return Response.json({}, { status: 401 })
    })
    const feePayer = (await solanaSigner("fee payer")).address
    const chosen = requirements({ network: SOLANA_NETWORK, payTo: feePayer, extra: { feePayer } })
    const wallet = solanaWallet(await solanaSigner("payer"), "https://me:s%3Acr%E2%82%ACt@rpc.test/key")
    await expect(payloadOf(wallet, chosen)).rejects.toThrow("the Solana RPC gave no blockhash")
    expect(presented).toEqual([`Basic ${Buffer.from("me:s:cr€t").toString("base64")}`])
  })

  it("names a node that does not answer by its host, never by its key", async () => {
    vi.stubGlobal("fetch", async () => {
      throw new TypeError("fetch failed: https://rpc.test/secret")
    })
    const feePayer = (await solanaSigner("fee payer")).address
    const chosen = requirements({ network: SOLANA_NETWORK, payTo: feePayer, extra: { feePayer } })
    const wallet = solanaWallet(await solanaSigner("payer"), "https://rpc.test/secret")
    await expect(payloadOf(wallet, chosen)).rejects.toThrow(
      new Error("the Solana RPC gave no blockhash (rpc.test)")
    )
  })

  it("takes memo and blockhash from the challenge, without any question", async () => {
    const rpc = stubRpc(BLOCKHASH)
    const chosen = requirements({
      network: SOLANA_NETWORK,
      payTo: (await solanaSigner("merchant")).address,
      extra: {
        feePayer: (await solanaSigner("fee payer")).address,
        memo: "order é 7",
        recentBlockhash: BLOCKHASH
      }
    })
    const wallet = solanaWallet(await solanaSigner("payer"), "https://rpc.test")
    const { payload } = await payloadOf(wallet, chosen)
    expect(await verifySvm(payload, chosen)).toMatchObject({ ok: true })
    expect(rpc).not.toHaveBeenCalled()
  })

  it("derives the same token accounts as kit for every owner", async () => {
    const codec = getAddressCodec()
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ minLength: 32, maxLength: 32 }), async (bytes) => {
        const owner = codec.decode(bytes)
        const mint = codec.decode(Buffer.alloc(32, 7))
        const account = await ours.associatedTokenAccount(owner, mint)
        const tokenProgram = address(SOLANA_PROGRAMS.token)
        const [expected] = await findAssociatedTokenPda({ owner, mint, tokenProgram })
        expect(getAddressDecoder().decode(account)).toBe(expected)
        expect(fromBase58(owner)).toEqual(bytes)
      }),
      { numRuns: 40 }
    )
  })

  it("reads base58 of 32 bytes and nothing else", () => {
    for (const text of [
      "",
      "0",
      "O",
      "l",
      "1".repeat(31),
      "1".repeat(33),
      "z".repeat(44),
      "1".repeat(10_000)
    ])
      expect(fromBase58(text)).toBeUndefined()
    expect(fromBase58("1".repeat(32))).toEqual(new Uint8Array(32))
  })
})
