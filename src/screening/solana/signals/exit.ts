import type { Judgement } from "../../../domain/signal.ts"
import { fail, hard, minor, pass, signalFrom, unknown } from "../../../domain/signal.ts"
import type { SolanaEvidence } from "../evidence.ts"
import type { Sale } from "../simulation/exit-facts.ts"
import type { SolanaSignal } from "./shared.ts"
import { percent } from "./shared.ts"

/** A round trip that costs half is a trap; a tenth is a reason to stay out. */
const TRAP = 0.5
const HIGH = 0.1
const NOTICEABLE = 0.06

/** Refusals that our own instructions may have caused forbid trust as a failure does, and prove nothing. */
const UNPROVEN_REFUSAL = 45

const WORDS: Readonly<Record<Extract<Sale, { kind: "refused" }>["leg"], string>> = {
  funds: "begin to trade",
  account: "open an account for the token",
  buy: "buy",
  transfer: "pass on what it bought",
  sell: "sell what it bought"
}

const judgeSale = ({ fresh }: SolanaEvidence["exit"]): Judgement => {
  switch (fresh.kind) {
    case "sold":
      return pass("A new wallet bought, passed on and sold everything again, as the node simulates it.")
    case "refused": {
      const words = `A new wallet could not ${WORDS[fresh.leg]}, as the node simulates it.`
      return fresh.isCertain && fresh.leg !== "buy"
        ? fail(words)
        : fail(words, { hard: false, points: UNPROVEN_REFUSAL })
    }
    case "doubtful":
      return unknown(`A new wallet could not ${WORDS[fresh.leg]}; why could not be told.`)
    case "untried":
      return unknown(`No sale was simulated: ${fresh.why}.`)
  }
}

const signal = signalFrom<SolanaEvidence>("simulation")

/** The exit, as simulated: only where a node cannot simulate does what is read from state decide alone. */
export const exitSignals: ReadonlyArray<SolanaSignal> = [
  signal("SALE_FAILS", hard(90, 4, "sale"), {
    reads: "simulated purchase, transfer and sale by a wallet nobody has seen, in the best pools",
    critical: ({ exit }) => exit.fresh.kind !== "untried",
    judge: ({ exit }) => judgeSale(exit)
  }),
  signal("HOLDER_SALE_FAILS", minor(60, 3, "sale"), {
    reads: "simulated sales and transfers by real holders who are neither creator nor pool",
    critical: ({ exit }) => exit.holders.tried > 0,
    judge: ({ exit: { fresh, holders } }) => {
      const { doubtful, refused, tried } = holders
      if (tried === 0) return unknown("No holder's sale was simulated.")
      if (refused > 0) {
        const isEverybody = refused === tried && fresh.kind !== "sold"
        return fail(`Simulated sales and transfers by real holders: ${refused} of ${tried} failed.`, {
          hard: isEverybody,
          points: isEverybody ? 90 : 60
        })
      }
      return doubtful > 0
        ? unknown(`Simulated sales by real holders: ${doubtful} of ${tried} failed; why could not be told.`)
        : pass(`Simulated sales and transfers by real holders: all succeeded (${tried}).`)
    }
  }),
  signal("ROUND_TRIP_LOSS", minor(60, 0, "pool-fee"), {
    reads: "what a simulated purchase and sale of the same tokens costs together",
    critical: ({ exit }) => exit.fresh.kind === "sold" && (exit.fresh.loss ?? 0) >= HIGH,
    judge: ({ exit: { fresh } }) => {
      if (fresh.kind !== "sold" || fresh.loss === null)
        return unknown("What a round trip costs was not measured.")
      const words = `Buying and selling again costs ${percent(fresh.loss)}.`
      if (fresh.loss < NOTICEABLE) return pass(words)
      return fail(words, {
        hard: fresh.loss >= TRAP,
        points: fresh.loss >= TRAP ? 80 : Math.min(60, Math.ceil(fresh.loss * 200))
      })
    }
  })
]
