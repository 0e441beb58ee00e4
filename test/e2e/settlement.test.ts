import { describe, expect, it } from "@effect/vitest"
import { askAndHangUp, pay, receiptOf, toHttp } from "../support/calls.ts"
import {
  expectUnknown,
  lookOf,
  networks,
  newPayment,
  once,
  onceOnBoth,
  type Network,
  type Proxies,
  screeningBeside,
  sendOf,
  startProxies,
  through
} from "../support/payment/buying.ts"
import {
  eventually,
  movedSince,
  NOTHING,
  onceOnSolana,
  PING_PRICE,
  readBooks,
  useService
} from "../support/stage.ts"

let started: Proxies | undefined

/** The service reaches both chains through proxies with faults, one service for the whole file. */
const { service, stage } = useService(async ({ run, sandbox }) => {
  started = await startProxies(run, sandbox)
  return { CACHE_TTL: "1 millis", ...through(started) }
})

const proxies = (): Proxies => {
  if (started === undefined) throw new Error("the proxies start before the tests")
  return started
}

/** What each network's payment buys in these tests, and a payment for it. */
const purchaseOn = async (network: Network) => {
  const screening = screeningBeside(stage(), network)
  return { screening, payment: await newPayment(stage(), service().url, screening, network) }
}

const delivered = ({ payment, screening }: Awaited<ReturnType<typeof purchaseOn>>) =>
  eventually(
    () => pay(service().url, screening, payment),
    ({ status }) => status === 200
  )

describe("a settlement, on either network,", () => {
  it("whose broadcast's reply is lost still ends in one transfer and one answer", async () => {
    const purchases = await Promise.all(networks.map(purchaseOn))
    const before = await readBooks(stage())
    for (const network of networks) proxies()[network].faults.lostReplies.add(sendOf(network))
    const answers = await Promise.all(
      purchases.map(({ payment, screening }) => pay(service().url, screening, payment))
    )
    for (const network of networks) proxies()[network].faults.lostReplies.clear()
    for (const answer of answers) if (answer.status !== 200) expectUnknown(answer)
    for (const again of await Promise.all(purchases.map(delivered))) {
      expect(receiptOf(again).success).toBe(true)
    }
    expect(await movedSince(stage(), before)).toEqual(onceOnBoth(PING_PRICE))
  })

  it("goes on when its caller hangs up, and the same payment fetches the answer", async () => {
    const purchases = await Promise.all(networks.map(purchaseOn))
    const before = await readBooks(stage())
    // The transfer is sent, and its outcome cannot be seen: the middle of a settlement.
    for (const network of networks) proxies()[network].faults.refusedMethods.add(lookOf(network))
    const callers = purchases.map(({ payment, screening }) =>
      askAndHangUp(...toHttp(service().url, screening, { "payment-signature": payment }))
    )
    await eventually(
      () => movedSince(stage(), before),
      ({ base, solana }) => base === PING_PRICE && solana === PING_PRICE
    )
    for (const { ended, hangUp } of callers) {
      hangUp()
      await ended
    }
    for (const network of networks) proxies()[network].faults.refusedMethods.clear()
    for (const { body } of await Promise.all(purchases.map(delivered))) expect(body).toHaveProperty("safe")
    expect(await movedSince(stage(), before)).toEqual(onceOnBoth(PING_PRICE))
  })
})

describe("a settlement on", () => {
  it("Base that never reaches a block is 503 and never 402, and pays once when the chain goes on", async () => {
    const purchase = await purchaseOn("base")
    const { faults } = proxies().base
    const before = await readBooks(stage())
    faults.refusedMethods.add(sendOf("base"))
    expectUnknown(await pay(service().url, purchase.screening, purchase.payment))
    expect(await movedSince(stage(), before)).toEqual(NOTHING)
    faults.refusedMethods.clear()
    await delivered(purchase)
    expect(await movedSince(stage(), before)).toEqual(once("base", PING_PRICE))
  })

  it("Solana whose first broadcast is dropped is sent again by us", async () => {
    const purchase = await purchaseOn("solana")
    const before = await readBooks(stage())
    stage().sandbox.solana.faults.dropTransactions = 1
    expect(receiptOf(await delivered(purchase)).success).toBe(true)
    expect(await movedSince(stage(), before)).toEqual(once("solana", PING_PRICE))
  })
})

describe("a caller who hangs up while we still screen", () => {
  it("is not charged, and the same payment is good afterwards", async () => {
    const purchase = await purchaseOn("solana")
    const market = proxies().base
    const before = await readBooks(stage())
    market.faults.hangingMethods.add("eth_call")
    const started = market.requests.get("eth_call") ?? 0
    const headers = { "payment-signature": purchase.payment }
    const caller = askAndHangUp(...toHttp(service().url, purchase.screening, headers))
    await eventually(
      () => market.requests.get("eth_call") ?? 0,
      (count) => count > started
    )
    caller.hangUp()
    await caller.ended
    market.faults.hangingMethods.clear()
    expect(await movedSince(stage(), before)).toEqual(NOTHING)
    expect((await delivered(purchase)).body).toHaveProperty("safe")
    expect(await movedSince(stage(), before)).toEqual(onceOnSolana(PING_PRICE))
  })
})
