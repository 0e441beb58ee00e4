import { afterEach, describe, expect, it } from "@effect/vitest"
import type { PaymentPayload } from "@x402/core/types"
import * as abi from "../../scripts/sandbox/base/abi.ts"
import { USDC } from "../../scripts/sandbox/base/addresses.ts"
import { startBaseChain } from "../../scripts/sandbox/base/base-chain.ts"
import { decodeAuthorized, hex, transferArguments } from "../../scripts/sandbox/base/eip3009.ts"
import type { RpcProxy } from "../../scripts/sandbox/rpc-proxy.ts"
import { encode, pay, reasonOf, receiptOf, screen, signFor, termsIn } from "../support/calls.ts"
import { expectUnknown, newBuyer, screeningBeside, sendOf } from "../support/payment/buying.ts"
import { baseBuyer, startRpcProxy } from "../support/sandbox.ts"
import { movedSince, readBooks } from "../support/books.ts"
import { DEEP_PRICE, PING_PRICE } from "../support/prices.ts"
import { eventually, newBasePayer, useService } from "../support/stage.ts"

let proxy: RpcProxy | undefined

const { service, stage } = useService(async ({ run, sandbox }) => {
  proxy = await run(startRpcProxy(sandbox.base.url))
  return { CACHE_TTL: "1 millis", BASE_RPC_URL: proxy.url }
})

const faults = () => {
  if (proxy === undefined) throw new Error("the proxy starts before the tests")
  return proxy.faults
}
afterEach(() => proxy?.mend())

/** Somebody else submits the authorization, as anyone may who has seen it. */
const frontRun = async ({ payload }: PaymentPayload) => {
  const { authorization, signature } = decodeAuthorized(payload)
  const { base } = stage().sandbox
  return base.devnet.write(base.accounts.trader.address, USDC, abi.usdc, "transferWithAuthorization", [
    ...transferArguments(authorization, hex(signature))
  ])
}

// In this order: what the second one leaves unsent is sent later, and would count as the first one's.
describe("an authorization that somebody else submitted", { shuffle: false }, () => {
  it("before we saw it buys nothing: whoever shows a used payment may have bought something else with it", async () => {
    const { url } = service()
    const screening = screeningBeside(stage(), "base")
    const payload = await signFor(url, screening, await newBuyer(stage(), "base"))
    const before = await readBooks(stage())
    await frontRun(payload)
    for (let attempt = 0; attempt < 2; attempt++) {
      const answer = await pay(url, screening, encode(payload))
      expect([answer.status, reasonOf(answer)]).toEqual([402, "payment_already_used"])
    }
    expect(await movedSince(stage(), before)).toMatchObject({ sentOnBase: 0 })
  })

  it("between our check and our settlement has paid too", async () => {
    const { url } = service()
    const screening = screeningBeside(stage(), "base")
    const payload = await signFor(url, screening, await newBuyer(stage(), "base"))
    const before = await readBooks(stage())
    faults().refusedMethods.add(sendOf("base"))
    expectUnknown(await pay(url, screening, encode(payload)))
    const transaction = await frontRun(payload)
    faults().refusedMethods.clear()
    const answer = await eventually(
      () => pay(url, screening, encode(payload)),
      ({ status }) => status === 200
    )
    expect(receiptOf(answer)).toMatchObject({ success: true, transaction })
    const moved = await movedSince(stage(), before)
    expect(moved.base).toBe(PING_PRICE)
    // What was signed before the refusal is sent again as soon as the node takes it; then it reverts and moves nothing.
    expect(moved.sentOnBase).toBeLessThanOrEqual(1)
  })
})

describe("a payment whose outcome is open", () => {
  it("is asked for, also by a caller who has a free call by now: who got that one would be charged for it", async () => {
    const { url } = service()
    const screening = { ...screeningBeside(stage(), "base"), operation: "deep" } as const
    const payment = encode(await signFor(url, screening, await newBuyer(stage(), "base")))
    const before = await readBooks(stage())
    faults().refusedMethods.add(sendOf("base"))
    expectUnknown(await pay(url, screening, payment))
    const headers = { "payment-signature": payment, "x-client-id": "late" }
    expectUnknown(await screen(url, screening, headers))
    faults().refusedMethods.clear()
    const answer = await eventually(
      () => screen(url, screening, headers),
      ({ status }) => status === 200
    )
    expect(answer.body).toMatchObject({ free: false })
    expect(receiptOf(answer)).toMatchObject({ success: true })
    expect((await movedSince(stage(), before)).base).toBe(DEEP_PRICE)
  })
})

describe("a payer who takes the money away between our check and our settlement", () => {
  it("gets 402 once it is proven that nothing can move any more, and no byte of the report", async () => {
    const { run, sandbox, start } = stage()
    // A chain of its own, whose clock is never right again.
    const base = await run(startBaseChain())
    const place = { ...stage(), sandbox: { ...sandbox, base } }
    const node = await run(startRpcProxy(base.url))
    const { url } = await start({ CACHE_TTL: "1 millis", BASE_RPC_URL: node.url })
    const screening = screeningBeside(place, "base")
    const payer = await newBasePayer(place)
    const payment = encode(await signFor(url, screening, baseBuyer(payer)))
    const before = await readBooks(place)
    node.faults.refusedMethods.add(sendOf("base"))
    expectUnknown(await pay(url, screening, payment))
    await base.devnet.setBalance(payer.address, 10n ** 18n)
    await base.devnet.write(payer.address, USDC, abi.erc20, "transfer", [
      base.accounts.deployer.address,
      10_000_000n
    ])
    node.mend()
    // The money may come back while the window is open, so nothing is decided before the chain has closed it.
    await base.devnet.request("evm_increaseTime", [300])
    await base.devnet.request("anvil_mine", ["0x1", "0x1"])
    const answer = await eventually(
      () => pay(url, screening, payment),
      ({ status }) => status !== 503
    )
    expect(answer.status).toBe(402)
    expect(reasonOf(answer)).toMatch(/insufficient_balance|valid_before/)
    expect(termsIn(answer.text)).toEqual(termsIn((await screen(url, screening)).text))
    expect(await movedSince(place, before)).toMatchObject({ base: 0n, solana: 0n })
  })
})
