import { describe, expect, it } from "@effect/vitest"
import type { PaymentPayload } from "@x402/core/types"
import { Effect, Schema } from "effect"
import * as abi from "../../scripts/sandbox/base/abi.ts"
import { USDC } from "../../scripts/sandbox/base/addresses.ts"
import type { RpcProxy } from "../../scripts/sandbox/rpc-proxy.ts"
import { hex, transferArguments } from "../../scripts/sandbox/base/eip3009.ts"
import type { Answer, Screening } from "../support/calls.ts"
import { askAndHangUp, encode, pay, reasonOf, receiptOf, screen, signFor, toHttp } from "../support/calls.ts"
import { run } from "../support/cli/run.ts"
import { baseBuyer, solanaBuyer, startRpcProxy } from "../support/sandbox.ts"
import type { Books } from "../support/stage.ts"
import {
  eventually,
  movedSince,
  newBasePayer,
  newSolanaPayer,
  NOTHING,
  onceOnBase,
  onceOnSolana,
  PING_PRICE,
  readBooks,
  useService
} from "../support/stage.ts"

const networks = ["base", "solana"] as const
type Network = (typeof networks)[number]

let proxies: Readonly<Record<Network, RpcProxy>> | undefined

/** The service reaches both chains through proxies with faults, one service for the whole file. */
const { service, stage } = useService(async ({ run, sandbox }) => {
  proxies = {
    base: await run(startRpcProxy(sandbox.base.url)),
    solana: await run(startRpcProxy(sandbox.solana.url))
  }
  return { CACHE_TTL: "1 millis", BASE_RPC_URL: proxies.base.url, SOLANA_RPC_URL: proxies.solana.url }
})

const openShop = (network: Network) => {
  if (proxies === undefined) throw new Error("the proxies start before the tests")
  return { url: service().url, proxy: proxies[network] }
}

/** The screened token lives on the chain that is not in trouble. */
const screeningBeside = (network: Network): Screening => ({
  method: "POST",
  operation: "ping",
  chain: network === "base" ? "solana" : "base",
  address:
    network === "base"
      ? stage().sandbox.solana.tokens.clean.address
      : stage().sandbox.base.tokens.clean.address
})

const newBuyer = async (network: Network) =>
  network === "base"
    ? baseBuyer(await newBasePayer(stage()))
    : solanaBuyer(await newSolanaPayer(stage()), stage().sandbox.solana.url)

const once = (network: Network): Books =>
  network === "base" ? onceOnBase(PING_PRICE) : onceOnSolana(PING_PRICE)

const sendOf = (network: Network) => (network === "base" ? "eth_sendRawTransaction" : "sendTransaction")
const lookOf = (network: Network) =>
  network === "base" ? "eth_getTransactionReceipt" : "getSignatureStatuses"

const expectUnknown = (answer: Answer) => {
  expect(answer.status).toBe(503)
  expect(Number(answer.headers.get("retry-after"))).toBeGreaterThan(0)
  expect(answer.headers.has("payment-required")).toBe(false)
  expect(answer.body).toEqual({ error: expect.stringContaining("same payment") })
}

/** What `token-risk payments` shows its operator as begun and not ended. */
const unresolvedIn = async (database: string) => {
  const { code, err, out } = await Effect.runPromise(
    run(["payments", "--json"], { environment: { DATABASE_URL: database } })
  )
  if (code !== 0) throw new Error(err)
  return decodePayments(out).unresolved
}

const decodePayments = Schema.decodeSync(
  Schema.parseJson(Schema.Struct({ unresolved: Schema.Array(Schema.Unknown) }))
)

const hasSent = (before: Books) =>
  eventually(
    () => movedSince(stage(), before),
    ({ sentOnBase, sentOnSolana }) => sentOnBase + sentOnSolana > 0
  )

describe("a settlement on", () => {
  for (const network of networks) {
    it(`${network} whose broadcast's reply is lost still ends in one transfer and one answer`, async () => {
      const { proxy, url } = openShop(network)
      const screening = screeningBeside(network)
      const payment = encode(await signFor(url, screening, await newBuyer(network)))
      const before = await readBooks(stage())
      proxy.faults.lostReplies.add(sendOf(network))
      const answer = await pay(url, screening, payment)
      proxy.faults.lostReplies.clear()
      if (answer.status !== 200) expectUnknown(answer)
      const again = await eventually(
        () => pay(url, screening, payment),
        ({ status }) => status === 200
      )
      expect(receiptOf(again).success).toBe(true)
      expect(await movedSince(stage(), before)).toEqual(once(network))
    })

    it(`${network} goes on when its caller hangs up, and the same payment fetches the answer`, async () => {
      const { proxy, url } = openShop(network)
      const screening = screeningBeside(network)
      const payment = encode(await signFor(url, screening, await newBuyer(network)))
      const before = await readBooks(stage())
      // The transfer is sent, and its outcome cannot be seen: the middle of a settlement.
      proxy.faults.refusedMethods.add(lookOf(network))
      const [target, init] = toHttp(url, screening, { "payment-signature": payment })
      const caller = askAndHangUp(target, init)
      await hasSent(before)
      caller.hangUp()
      await caller.ended
      proxy.faults.refusedMethods.clear()
      const answer = await eventually(
        () => pay(url, screening, payment),
        ({ status }) => status === 200
      )
      expect(answer.body).toHaveProperty("safe")
      expect(await movedSince(stage(), before)).toEqual(once(network))
    })
  }

  it("either chain is finished by the reconciler after a crash, without any caller", async () => {
    const { base, solana } = stage().sandbox
    const proxies = {
      base: await stage().run(startRpcProxy(base.url)),
      solana: await stage().run(startRpcProxy(solana.url))
    }
    const environment = {
      DATABASE_URL: stage().databaseFile(),
      BASE_RPC_URL: proxies.base.url,
      SOLANA_RPC_URL: proxies.solana.url
    }
    const doomed = await stage().start(environment)
    const sales = await Promise.all(
      networks.map(async (network) => {
        const screening = screeningBeside(network)
        return { screening, payment: encode(await signFor(doomed.url, screening, await newBuyer(network))) }
      })
    )
    const before = await readBooks(stage())
    for (const network of networks) proxies[network].faults.refusedMethods.add(lookOf(network))
    const callers = sales.map(({ payment, screening }) =>
      askAndHangUp(...toHttp(doomed.url, screening, { "payment-signature": payment }))
    )
    await eventually(
      () => movedSince(stage(), before),
      ({ sentOnBase, sentOnSolana }) => sentOnBase === 1 && sentOnSolana === 1
    )
    doomed.signal("SIGKILL")
    await Effect.runPromise(doomed.ended)
    for (const { ended } of callers) await ended
    for (const network of networks) proxies[network].faults.refusedMethods.clear()

    // Nobody asks for the answers: what is settled now, the reconciler has settled.
    const heir = await stage().start(environment)
    await eventually(
      () => unresolvedIn(environment.DATABASE_URL),
      (unresolved) => unresolved.length === 0
    )
    // With both chains out of reach, what answers now is the ledger.
    for (const network of networks) proxies[network].httpFaults.fault = "error"
    for (const { payment, screening } of sales) {
      const answer = await eventually(
        () => pay(heir.url, screening, payment),
        ({ status }) => status === 200
      )
      expect(receiptOf(answer).success).toBe(true)
    }
    expect(await movedSince(stage(), before)).toEqual({
      base: PING_PRICE,
      solana: PING_PRICE,
      sentOnBase: 1,
      sentOnSolana: 1
    })
  })

  it("Base that never reaches a block is 503 and never 402, and pays once when the chain goes on", async () => {
    const { proxy, url } = openShop("base")
    const screening = screeningBeside("base")
    const payment = encode(await signFor(url, screening, await newBuyer("base")))
    const before = await readBooks(stage())
    proxy.faults.refusedMethods.add(sendOf("base"))
    const answer = await pay(url, screening, payment)
    expectUnknown(answer)
    expect(await movedSince(stage(), before)).toEqual(NOTHING)
    proxy.faults.refusedMethods.clear()
    await eventually(
      () => pay(url, screening, payment),
      ({ status }) => status === 200
    )
    expect(await movedSince(stage(), before)).toEqual(onceOnBase(PING_PRICE))
  })

  it("Solana whose first broadcast is dropped is sent again by us", async () => {
    const { url } = openShop("solana")
    const screening = screeningBeside("solana")
    const payment = encode(await signFor(url, screening, await newBuyer("solana")))
    const before = await readBooks(stage())
    stage().sandbox.solana.faults.dropTransactions = 1
    const answer = await eventually(
      () => pay(url, screening, payment),
      ({ status }) => status === 200
    )
    expect(receiptOf(answer).success).toBe(true)
    expect(await movedSince(stage(), before)).toEqual(onceOnSolana(PING_PRICE))
  })
})

const Eip3009 = Schema.Struct({
  signature: Schema.String,
  authorization: Schema.Struct({
    from: Schema.String,
    to: Schema.String,
    value: Schema.String,
    validAfter: Schema.String,
    validBefore: Schema.String,
    nonce: Schema.String
  })
})

/** Somebody else submits the authorization, as anyone may who has seen it. */
const frontRun = async ({ payload }: PaymentPayload) => {
  const { authorization, signature } = Schema.decodeUnknownSync(Eip3009)(payload)
  const { base } = stage().sandbox
  return base.devnet.write(base.accounts.trader.address, USDC, abi.usdc, "transferWithAuthorization", [
    ...transferArguments(authorization, hex(signature))
  ])
}

describe("an authorization that somebody else submitted", () => {
  it("before we saw it buys nothing: whoever shows a used payment may have bought something else with it", async () => {
    const { url } = openShop("base")
    const screening = screeningBeside("base")
    const payload = await signFor(url, screening, await newBuyer("base"))
    const before = await readBooks(stage())
    await frontRun(payload)
    for (let attempt = 0; attempt < 2; attempt++) {
      const answer = await pay(url, screening, encode(payload))
      expect([answer.status, reasonOf(answer)]).toEqual([402, "payment_already_used"])
    }
    expect(await movedSince(stage(), before)).toMatchObject({ sentOnBase: 0 })
  })

  it("between our check and our settlement has paid too", async () => {
    const { proxy, url } = openShop("base")
    const screening = screeningBeside("base")
    const payload = await signFor(url, screening, await newBuyer("base"))
    const before = await readBooks(stage())
    proxy.faults.refusedMethods.add(sendOf("base"))
    expectUnknown(await pay(url, screening, encode(payload)))
    const transaction = await frontRun(payload)
    proxy.faults.refusedMethods.clear()
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

describe("a payer who takes the money away between our check and our settlement", () => {
  it("gets 402 once it is proven that nothing can move any more, and no byte of the report", async () => {
    const { proxy, url } = openShop("base")
    const screening = screeningBeside("base")
    const payer = await newBasePayer(stage())
    const payment = encode(await signFor(url, screening, baseBuyer(payer)))
    const before = await readBooks(stage())
    proxy.faults.refusedMethods.add(sendOf("base"))
    expectUnknown(await pay(url, screening, payment))
    const { base } = stage().sandbox
    await base.devnet.setBalance(payer.address, 10n ** 18n)
    await base.devnet.write(payer.address, USDC, abi.erc20, "transfer", [
      base.accounts.deployer.address,
      10_000_000n
    ])
    proxy.faults.refusedMethods.clear()
    // The money may come back while the window is open, so nothing is decided before the chain has closed it.
    await base.devnet.request("evm_increaseTime", [300])
    await base.devnet.request("anvil_mine", ["0x1", "0x1"])
    const answer = await eventually(
      () => pay(url, screening, payment),
      ({ status }) => status !== 503
    )
    expect(answer.status).toBe(402)
    expect(reasonOf(answer)).toMatch(/insufficient_balance|valid_before/)
    expect(answer.text).toBe((await screen(url, screening)).text)
    expect(await movedSince(stage(), before)).toMatchObject({ base: 0n, solana: 0n })
  })
})

describe("a caller who hangs up while we still screen", () => {
  it("is not charged, and the same payment is good afterwards", async () => {
    const { proxy: market, url } = openShop("base")
    const screening: Screening = { ...screeningBeside("solana"), operation: "ping" }
    const payment = encode(await signFor(url, screening, await newBuyer("solana")))
    const before = await readBooks(stage())
    market.faults.hangingMethods.add("eth_call")
    const started = market.requests.get("eth_call") ?? 0
    const [target, init] = toHttp(url, screening, { "payment-signature": payment })
    const caller = askAndHangUp(target, init)
    await eventually(
      () => market.requests.get("eth_call") ?? 0,
      (count) => count > started
    )
    caller.hangUp()
    await caller.ended
    market.faults.hangingMethods.clear()
    // Not what the key on Base sent meanwhile: it may be cancelling what an earlier test left to expire.
    const { sentOnBase: _, ...untouched } = NOTHING
    expect(await movedSince(stage(), before)).toMatchObject(untouched)
    const answer = await eventually(
      () => pay(url, screening, payment),
      ({ status }) => status === 200
    )
    expect(answer.body).toHaveProperty("safe")
    const { sentOnBase: __, ...paidOnSolana } = onceOnSolana(PING_PRICE)
    expect(await movedSince(stage(), before)).toMatchObject(paidOnSolana)
  })
})
