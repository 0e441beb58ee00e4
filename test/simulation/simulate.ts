/** One seed: chains that misbehave, two processes that die, clients that insist, and an audit of what came out. */
import { Effect, Either } from "effect"
import { copyFileSync, rmSync } from "node:fs"
import { PaymentRejected } from "../../src/domain/errors.ts"
import { asHex } from "../../src/payment/verifier/evm/usdc.ts"
import { audit, type Buyer, PRICE, openRecords, type Report } from "./audit.ts"
import { GWEI, SimBase } from "./base-chain.ts"
import { type Faults, SimNodes } from "./base-node.ts"
import { baseBuyer, solanaBuyer } from "./buyers.ts"
import { VirtualTime } from "./clock.ts"
import { Dice } from "./dice.ts"
import { FACILITATORS_FEE_PAYER, type FacilitatorOptions } from "./facilitator.ts"
import { type SimProcess, type SimProcessOptions, startProcess } from "./process.ts"
import { simAccount } from "./sim-base.ts"
import { simFeePayer } from "./sim-solana.ts"
import { SimSolana } from "./solana-chain.ts"
import { SimSolanaNodes } from "./solana-node.ts"
import { digestAtOnce } from "./sync-digest.ts"

const START = 1_800_000_000_000
const URL = "http://127.0.0.1/ping"
/** Longest story, in virtual milliseconds: windows end after a minute, proofs of absence two minutes later. */
const TROUBLE = 90_000
const END = 900_000

class World {
  readonly dice: Dice
  readonly time = new VirtualTime(START)
  readonly chain: SimBase
  readonly solana: SimSolana
  readonly isRemote: boolean
  readonly buyers: Array<Buyer> = []
  readonly violations: Array<string> = []
  kills = 0
  private isCalm = false
  private readonly processes: Array<SimProcess> = []
  private readonly nodes: SimNodes
  private readonly solanaNodes: SimSolanaNodes
  private readonly facilitator: FacilitatorOptions | undefined
  /** One operator's keys, the same for every process. */
  private readonly accounts: SimProcessOptions["accounts"]
  private readonly pace: SimProcessOptions["pace"]
  private readonly faults: Faults

  private readonly database: string
  /** The transfers the ledger has recorded. */
  readonly records: ReturnType<typeof openRecords>

  constructor(seed: number, database: string) {
    this.database = database
    this.records = openRecords(database)
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
    const { faults, time } = this
    this.accounts = dice.hits(0.3) ? [simAccount(1), simAccount(2)] : [simAccount(1)]
    this.pace = { exchange: dice.pick([500, 1_000, 2_000]), look: dice.pick([500, 1_000]) }
    this.chain = new SimBase(dice, START / 1_000 - 24, new Map())
    this.nodes = new SimNodes(this.chain, dice, time, faults)
    this.solana = new SimSolana(dice, time)
    this.solanaNodes = new SimSolanaNodes(this.solana, dice, time, faults)
    this.isRemote = dice.hits(0.25)
    const isCalm = () => this.isCalm
    this.facilitator = this.isRemote
      ? { base: this.chain, solana: this.solana, dice, time, isCalm }
      : undefined
  }

  async start(): Promise<void> {
    this.schedule()
    void this.spawn(1)
    await this.spawn(0)
  }

  private async spawn(slot: number): Promise<void> {
    const { accounts, database, dice, facilitator, nodes, pace, solanaNodes, time } = this
    const probability = dice.hits(0.7) ? 0.004 * dice.next() : 0
    const dies = () => {
      const happens = !this.isCalm && dice.hits(probability)
      if (happens) this.kills += 1
      return happens
    }
    const options = { nodes, solanaNodes, facilitator, database, time, dice, dies, accounts, pace }
    // A process can die while it starts: it then never answers, or its files are gone.
    const process = await Promise.race([
      startProcess(options).catch(() => undefined),
      time.wait(20_000).then(() => undefined)
    ])
    if (process === undefined) return void time.after(1_000, () => void this.spawn(slot))
    this.processes[slot] = process
    void process.died.then(() => time.after(dice.between(100, 8_000), () => void this.spawn(slot)))
  }

  /** Blocks, fees and reorganisations, as long as there is trouble. */
  private schedule(): void {
    const { chain, dice, solana, time } = this
    const mine = () => {
      if (!this.isCalm) {
        if (dice.hits(0.04))
          chain.baseFee = dice.hits(0.5) ? GWEI / 200n : GWEI / BigInt(dice.between(2, 150))
        if (dice.hits(0.03)) chain.reorganise(dice.between(1, 3), Math.floor(time.now / 1_000))
        if (dice.hits(0.02)) solana.reorganise(dice.between(1, 20))
        if (dice.hits(0.02)) return void time.after(dice.between(2_000, 9_000), mine)
      }
      chain.mine(Math.floor(time.now / 1_000))
      time.after(2_000, mine)
    }
    time.after(2_000, mine)
    time.after(TROUBLE, () => {
      this.isCalm = true
      chain.baseFee = GWEI / 200n
      solana.dropped = 0.05
      Object.assign(this.faults, { lost: 0, unanswered: 0, repeated: 0, lie: 0, lag: 0 })
    })
  }

  private setMoney({ network, purse }: Buyer, amount: bigint): void {
    if (network === "base") this.chain.changes.set(asHex(purse), amount)
    else this.solana.balances.set(purse, amount)
  }

  private newBuyer(at: number): Promise<Buyer> {
    const { dice, solana, time } = this
    if (dice.hits(0.5)) return baseBuyer(dice, at, Math.floor(time.now / 1_000))
    const feePayer = this.isRemote ? FACILITATORS_FEE_PAYER : simFeePayer.address
    return solanaBuyer(dice, at, solana, feePayer)
  }

  /** A client that asks until it has a final word, of whichever process answers. */
  async buy(at: number): Promise<void> {
    const { dice, time } = this
    await time.wait(dice.between(0, 30_000))
    const buyer = await this.newBuyer(at)
    this.buyers.push(buyer)
    this.setMoney(buyer, 2n * PRICE)
    // As answers are sold, or as checkouts are paid.
    const work = dice.pick(["beside", "under-claim"] as const)
    await time.wait(2_500)
    if (dice.hits(0.1)) time.after(dice.between(0, 20_000), () => this.setMoney(buyer, 0n))
    while (!buyer.done && time.now < START + END) {
      await this.ask(buyer, work)
      await time.wait(dice.between(500, 4_000))
    }
    // Whoever was paid answers the same again.
    if (buyer.answers > 0) await this.ask(buyer, work)
  }

  private async ask(buyer: Buyer, kind: "beside" | "under-claim"): Promise<void> {
    const { dice, time } = this
    const alive = this.processes.filter((process) => process !== undefined && !process.isDead())
    const process = alive[dice.between(0, Math.max(0, alive.length - 1))]
    if (process === undefined) return
    const order = { accepts: [buyer.terms], fingerprint: buyer.answer, work: kind, resourceUrl: URL }
    const work = Effect.delay(Effect.succeed(buyer.answer), dice.between(0, 1_500))
    const patience = time.wait(60_000).then(() => undefined)
    // What a dead process says nobody hears.
    const sold = Effect.runPromise(time.on(Effect.either(process.sell(buyer.payment, order, work))))
    const asked = sold.catch(() => undefined)
    const said = await Promise.race([asked, patience, process.died.then(() => undefined)])
    if (!process.isDead()) this.hear(buyer, said)
  }

  private hear(buyer: Buyer, said: Either.Either<{ readonly answer: string }, unknown> | undefined): void {
    if (said === undefined) return
    if (Either.isRight(said)) {
      buyer.answers += 1
      buyer.done = true
      if (said.right.answer !== buyer.answer) this.violations.push(`another answer for ${buyer.key}`)
      if (buyer.rejected !== undefined) this.violations.push(`an answer after the final no for ${buyer.key}`)
    } else if (said.left instanceof PaymentRejected) {
      if (buyer.answers > 0) this.violations.push(`refused after an answer: ${buyer.key} ${said.left.reason}`)
      buyer.rejected = said.left.reason
      buyer.done = true
    }
  }

  /** Lets the chains go on until every recorded transfer is final, or lost by proof. */
  async settle(): Promise<void> {
    const { records, time, violations } = this
    while (records.read().some(({ standing }) => standing === "recent")) {
      if (time.now > START + 2 * END) return void violations.push("a transfer that never becomes final")
      await time.wait(5_000)
    }
  }

  end(): void {
    for (const process of this.processes) process?.kill()
    this.records.close()
  }
}

const play = async (seed: number, database: string): Promise<Report> => {
  const world = new World(seed, database)
  let isOver = false
  const story = world
    .start()
    .then(() => Promise.all(Array.from({ length: world.dice.between(1, 8) }, (_, at) => world.buy(at))))
    .then(() => world.settle())
    .then(() => (isOver = true))
  await world.time.run(() => isOver)
  const report = audit(seed, world, world.records.read())
  world.end()
  if (!isOver) return { ...report, violations: ["the story stopped"] }
  await story
  return report
}

/** Plays a seed to its end. `template`: a migrated, empty SQLite file. */
export const simulate = async (seed: number, template: string): Promise<Report> => {
  const database = `${template}-${process.pid}-${seed}`
  copyFileSync(template, database)
  const restoreDigest = digestAtOnce()
  try {
    return await play(seed, database)
  } finally {
    restoreDigest()
    for (const suffix of ["", "-wal", "-shm"]) rmSync(database + suffix, { force: true })
  }
}
