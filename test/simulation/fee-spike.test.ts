import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { copyFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { asHex } from "../../src/payment/verifier/evm/usdc.ts"
import { PRICE } from "./audit.ts"
import { GWEI, SimBase } from "./base-chain.ts"
import { SimNodes } from "./base-node.ts"
import { baseBuyer } from "./buyers.ts"
import { VirtualTime } from "./clock.ts"
import { Dice } from "./dice.ts"
import { startProcess } from "./process.ts"
import { simAccount } from "./sim-base.ts"
import { SimSolana } from "./solana-chain.ts"
import { SimSolanaNodes } from "./solana-node.ts"
import { digestAtOnce } from "./sync-digest.ts"
import { useEmptyDatabase } from "./empty-database.ts"

const START = 1_800_000_000_000
const PAYMENTS = 8
/** The bound, in seconds. */
const LONGEST = 30
const USUAL = GWEI / 200n
const settler = simAccount(1)
const address = asHex(settler.address.toLowerCase())

const template = useEmptyDatabase()

/** A chain and a process that behave; fees do not. */
const makeStory = async (name: string, time: VirtualTime) => {
  const dice = new Dice(5)
  const chain = new SimBase(dice, START / 1_000 - 24, new Map())
  const solana = new SimSolana(dice, time)
  const faults = { lost: 0, unanswered: 0, repeated: 0, lie: 0, lag: 0, latency: 40 }
  const mine = () => {
    chain.mine(Math.floor(time.now / 1_000))
    time.after(2_000, mine)
  }
  time.after(2_000, mine)
  const database = join(dirname(template()), name)
  copyFileSync(template(), database)
  const process = await startProcess({
    nodes: new SimNodes(chain, dice, time, faults),
    solanaNodes: new SimSolanaNodes(solana, dice, time, faults),
    facilitator: undefined,
    database,
    time,
    dice,
    dies: () => false,
    accounts: [settler],
    pace: { exchange: 500, look: 500 }
  })
  const buy = async (at: number) => {
    const buyer = await baseBuyer(dice, at, Math.floor(time.now / 1_000), 60)
    chain.changes.set(asHex(buyer.payer), PRICE)
    await time.wait(2_100)
    const order = { accepts: [buyer.terms], fingerprint: buyer.key, resourceUrl: "http://127.0.0.1/ping" }
    const said = await Effect.runPromise(
      time.on(Effect.either(process.sell(buyer.payment, order, Effect.succeed("report"))))
    )
    return { key: buyer.key, said: said._tag === "Right" ? said.right.answer : said.left._tag }
  }
  /** When each payment landed, in Unix seconds. */
  const landed = () =>
    [...chain.receipts()].flatMap(({ block, receipt }) =>
      receipt.succeeded && receipt.transaction.transfers.length > 0
        ? receipt.transaction.transfers.map(() => block.time)
        : []
    )
  return { time, chain, process, buy, landed }
}

type Story = Awaited<ReturnType<typeof makeStory>>

/** Tells a story on virtual time. */
const tell = async <A>(name: string, story: (parts: Story) => Promise<A>): Promise<A> => {
  const restore = digestAtOnce()
  const time = new VirtualTime(START)
  let isOver = false
  const told = makeStory(name, time)
    .then(async (parts) => {
      const result = await story(parts)
      parts.process.kill()
      return result
    })
    .finally(() => (isOver = true))
  await time.run(() => isOver)
  restore()
  return told
}

/** Payments that are on their way when the base fee rises to `peak`, before a block can take them. */
const caughtBy =
  (peak: bigint) =>
  async ({ buy, chain, landed, time }: Story) => {
    const buying = Array.from({ length: PAYMENTS }, (_, at) => buy(at))
    while (chain.pool.get(address) === undefined) await time.wait(20)
    chain.baseFee = peak
    const risen = Math.floor(time.now / 1_000)
    await time.wait(LONGEST * 1_000)
    const waiting = chain.pool.get(address)?.size ?? 0
    const early = landed().filter((at) => at - risen <= LONGEST).length
    chain.baseFee = USUAL
    const answers = await Promise.all(buying)
    const after = await buy(PAYMENTS)
    return { waiting, early, said: answers.map(({ said }) => said), after: after.said }
  }

describe("a rise of Base's fee while payments are on their way", () => {
  it("beyond their first offers: each is replaced and lands within 30 seconds", async () => {
    const { early, said, waiting } = await tell("within.db", caughtBy(USUAL * 3n))
    expect({ early, said, waiting }).toEqual({
      early: PAYMENTS,
      said: Array.from({ length: PAYMENTS }, () => "report"),
      waiting: 0
    })
  })

  it("beyond what they pay for: no nonce is stuck longer than 30 seconds, and the key sells again", async () => {
    const { after, early, waiting } = await tell("beyond.db", caughtBy(USUAL * 20n))
    expect({ after, early, waiting }).toEqual({ after: "report", early: 0, waiting: 0 })
  })
})
