/** One seed: a Base that misbehaves, two processes that die, clients that insist, and an audit of what came out. */
import { Effect, Either } from "effect"
import { copyFileSync, rmSync } from "node:fs"
import type { Hex } from "viem"
import { privateKeyToAccount } from "viem/accounts"
import { PaymentRejected } from "../../src/domain/errors.ts"
import type { Payment } from "../../src/payment/message/payment.ts"
import { parsePaymentObject } from "../../src/payment/message/parse-payment.ts"
import { authorizationDigest } from "../../src/payment/verifier/evm/authorization.ts"
import { termsFor } from "../support/payment/base-settling.ts"
import { GWEI, SimBase, useKey } from "./base-chain.ts"
import { type Faults, SimNodes } from "./base-node.ts"
import { VirtualTime } from "./clock.ts"
import { Dice } from "./dice.ts"
import { simAccount, type SimProcess, startProcess } from "./process.ts"

const START = 1_800_000_000_000
const SHOP: Hex = "0x7777777777777777777777777777777777777777"
const PRICE = 5_000n
const URL = "http://127.0.0.1/ping"
/** Longest story, in virtual milliseconds: windows end after a minute, proofs of absence two minutes later. */
const TROUBLE = 90_000
const END = 900_000

interface Buyer {
  readonly key: string
  readonly payer: Hex
  readonly payment: Payment
  readonly answer: string
  /** 200 with these bytes. */
  answers: number
  /** The final no. */
  rejected: string | undefined
  done: boolean
}

export interface Report {
  readonly seed: number
  readonly payments: number
  readonly answered: number
  readonly transfers: number
  readonly rejected: number
  readonly kills: number
  readonly reorganised: number
  /** What must never be. */
  readonly violations: ReadonlyArray<string>
}

const makeBuyer = async (dice: Dice, at: number, nowSeconds: number): Promise<Buyer> => {
  const account = privateKeyToAccount(dice.hex(32))
  const payer = lower(account.address)
  const terms = termsFor(SHOP, PRICE)
  const authorization = {
    from: payer,
    to: SHOP,
    value: String(PRICE),
    validAfter: "0",
    validBefore: String(nowSeconds + dice.between(20, 60)),
    nonce: dice.hex(32)
  }
  const digest = Buffer.from(authorizationDigest(authorization, terms) ?? []).toString("hex")
  const signature = await account.sign({ hash: `0x${digest}` })
  const payload = { signature, authorization }
  const payment = Effect.runSync(parsePaymentObject({ x402Version: 2, accepted: terms, payload }))
  return {
    key: useKey({ payer, nonce: authorization.nonce }),
    payer,
    payment,
    answer: `answer ${at}`,
    answers: 0,
    rejected: undefined,
    done: false
  }
}

const lower = (address: string): Hex => `0x${address.slice(2).toLowerCase()}`

class World {
  readonly dice: Dice
  readonly time = new VirtualTime(START)
  readonly chain: SimBase
  readonly nodes: SimNodes
  readonly processes: Array<SimProcess> = []
  readonly buyers: Array<Buyer> = []
  readonly violations: Array<string> = []
  kills = 0
  private isCalm = false
  private readonly withdrawals = new Map<Hex, bigint>()
  private readonly faults: Faults

  private readonly database: string

  constructor(seed: number, database: string) {
    this.database = database
    const dice = new Dice(seed)
    this.dice = dice
    const bad = () => (dice.hits(0.6) ? dice.next() * 0.15 : 0)
    this.faults = {
      lost: bad(),
      unanswered: bad(),
      repeated: bad(),
      lie: bad(),
      lag: dice.between(0, 3),
      latency: dice.pick([20, 60, 400])
    }
    this.chain = new SimBase(dice, START / 1_000 - 24, new Map())
    this.nodes = new SimNodes(this.chain, dice, this.time, this.faults)
  }

  async start(): Promise<void> {
    this.schedule()
    void this.spawn(1)
    await this.spawn(0)
  }

  private async spawn(slot: number): Promise<void> {
    const { database, dice, nodes, time } = this
    const probability = dice.hits(0.7) ? 0.006 * dice.next() : 0
    const dies = () => {
      const happens = !this.isCalm && dice.hits(probability)
      if (happens) this.kills += 1
      return happens
    }
    const accounts = dice.hits(0.3) ? ([simAccount(1), simAccount(2)] as const) : ([simAccount(1)] as const)
    // A process can die while it starts: it then never answers, or its files are gone.
    const process = await Promise.race([
      startProcess({ nodes, database, time, dice, dies, accounts }).catch(() => undefined),
      time.wait(20_000).then(() => undefined)
    ])
    if (process === undefined) return void time.after(1_000, () => void this.spawn(slot))
    this.processes[slot] = process
    const watch = () => {
      if (process.isDead()) time.after(dice.between(100, 8_000), () => void this.spawn(slot))
      else time.after(200, watch)
    }
    watch()
  }

  /** Blocks, fees, reorganisations and withdrawals, as long as there is trouble. */
  private schedule(): void {
    const { chain, dice, time } = this
    const mine = () => {
      if (!this.isCalm) {
        if (dice.hits(0.04))
          chain.baseFee = dice.hits(0.5) ? GWEI / 200n : GWEI / BigInt(dice.between(2, 150))
        if (dice.hits(0.03)) chain.reorganise(dice.between(1, 3))
        if (dice.hits(0.02)) return void time.after(dice.between(2_000, 9_000), mine)
      }
      chain.mine(this.withdrawals)
      this.withdrawals.clear()
      time.after(2_000, mine)
    }
    time.after(2_000, mine)
    time.after(TROUBLE, () => {
      this.isCalm = true
      chain.baseFee = GWEI / 200n
      Object.assign(this.faults, { lost: 0, unanswered: 0, repeated: 0, lie: 0, lag: 0 })
    })
  }

  /** A client that asks until it has a final word, of whichever process answers. */
  async buy(at: number): Promise<void> {
    const { dice, time } = this
    await time.wait(dice.between(0, 30_000))
    const buyer = await makeBuyer(dice, at, Math.floor(time.now / 1_000))
    this.buyers.push(buyer)
    this.withdrawals.set(buyer.payer, 2n * PRICE)
    await time.wait(2_500)
    if (dice.hits(0.1)) time.after(dice.between(0, 20_000), () => this.withdrawals.set(buyer.payer, 0n))
    while (!buyer.done && time.now < START + END) {
      await this.ask(buyer)
      await time.wait(dice.between(500, 4_000))
    }
    // Whoever was paid answers the same again.
    if (buyer.answers > 0) await this.ask(buyer)
  }

  private async ask(buyer: Buyer): Promise<void> {
    const { dice, time } = this
    const alive = this.processes.filter((process) => process !== undefined && !process.isDead())
    const process = alive[dice.between(0, Math.max(0, alive.length - 1))]
    if (process === undefined) return
    const order = { accepts: [termsFor(SHOP, PRICE)], fingerprint: buyer.answer, resourceUrl: URL }
    const work = Effect.delay(Effect.succeed(buyer.answer), dice.between(0, 1_500))
    const patience = time.wait(60_000).then(() => undefined)
    // What a dead process says nobody hears.
    const sold = Effect.runPromise(time.on(Effect.either(process.sell(buyer.payment, order, work))))
    const asked = sold.catch(() => undefined)
    this.hear(buyer, await Promise.race([asked, patience, this.death(process)]))
  }

  private async death(process: SimProcess): Promise<undefined> {
    while (!process.isDead()) await this.time.wait(1_000)
    return undefined
  }

  private hear(buyer: Buyer, said: Either.Either<{ readonly answer: string }, unknown> | undefined): void {
    if (said === undefined) return
    if (Either.isRight(said)) {
      buyer.answers += 1
      buyer.done = true
      if (said.right.answer !== buyer.answer) this.violations.push(`another answer for ${buyer.key}`)
      if (buyer.rejected !== undefined) this.violations.push(`an answer after the final no for ${buyer.key}`)
    } else if (said.left instanceof PaymentRejected && said.left.reason !== "too_many_failed_payments") {
      if (buyer.answers > 0) this.violations.push(`refused after an answer: ${buyer.key} ${said.left.reason}`)
      buyer.rejected = said.left.reason
      buyer.done = true
    }
  }

  audit(seed: number): Report {
    const paid = new Map<string, number>()
    for (const { receipt } of this.chain.receipts()) {
      if (!receipt.succeeded) continue
      for (let at = 0; at < receipt.logs.length; at += 2) {
        const [, payer = "", nonce = ""] = receipt.logs[at]?.topics ?? []
        const key = `0x${payer.slice(-40)}:${nonce}`
        paid.set(key, (paid.get(key) ?? 0) + 1)
      }
    }
    for (const buyer of this.buyers) {
      const transfers = paid.get(buyer.key) ?? 0
      const wasTaken = this.chain.reorganised.has(buyer.key)
      if (transfers > 1) this.violations.push(`paid ${transfers} times: ${buyer.key}`)
      if (transfers > 0 && buyer.answers === 0) {
        this.violations.push(
          `lost: paid and not answered (${buyer.rejected ?? "no final word"}): ${buyer.key}`
        )
      }
      if (transfers === 0 && buyer.answers > 0 && !wasTaken)
        this.violations.push(`answered, not paid: ${buyer.key}`)
      if (!buyer.done) this.violations.push(`no final word for ${buyer.key}`)
    }
    const count = (holds: (buyer: Buyer) => boolean) => this.buyers.filter(holds).length
    return {
      seed,
      payments: this.buyers.length,
      answered: count(({ answers }) => answers > 0),
      transfers: [...paid.values()].reduce((sum, one) => sum + one, 0),
      rejected: count(({ rejected }) => rejected !== undefined),
      kills: this.kills,
      reorganised: this.chain.reorganised.size,
      violations: this.violations
    }
  }

  end(): void {
    for (const process of this.processes) process?.kill()
  }
}

/** Plays a seed to its end. `template`: a migrated, empty SQLite file. */
export const simulate = async (seed: number, template: string): Promise<Report> => {
  const database = `${template}-${process.pid}-${seed}`
  copyFileSync(template, database)
  const world = new World(seed, database)
  let isOver = false
  const story = world
    .start()
    .then(() => Promise.all(Array.from({ length: world.dice.between(1, 8) }, (_, at) => world.buy(at))))
    .then(() => (isOver = true))
  await world.time.run(() => isOver)
  if (!isOver) return { ...world.audit(seed), violations: ["the story stopped"] }
  await story
  const report = world.audit(seed)
  world.end()
  for (const suffix of ["", "-wal", "-shm"]) rmSync(database + suffix, { force: true })
  return report
}

type Counts = Omit<Report, "seed" | "violations">

export const NOTHING: Counts = {
  payments: 0,
  answered: 0,
  transfers: 0,
  rejected: 0,
  kills: 0,
  reorganised: 0
}

export const addReports = (a: Counts, b: Counts): Counts => ({
  payments: a.payments + b.payments,
  answered: a.answered + b.answered,
  transfers: a.transfers + b.transfers,
  rejected: a.rejected + b.rejected,
  kills: a.kills + b.kills,
  reorganised: a.reorganised + b.reorganised
})
