/** Moments of the past, before each of which a node can be asked what an account held. */
import { Clock, Effect, Random, Ref } from "effect"
import type { SolanaHistory, SolanaMoment } from "../../../chain/solana-history.ts"
import type { ChainTime } from "../pools/terms.ts"
import { factOf } from "./fetch.ts"
import { lasts } from "../../../domain/lasts.ts"

/**
 * A moment lies between so many days ago. Where is drawn at random and never published: whoever wants to be seen at it must
 * have been there all the time.
 */
type Span = readonly [least: number, most: number]

/** One moment that a month has passed since, and two between it and today. */
export const MONTH: ReadonlyArray<Span> = [
  [30, 32],
  [12, 28],
  [1, 11]
]
/** The same for half a year, beside those of the month. */
export const HALF_YEAR: ReadonlyArray<Span> = [
  [180, 190],
  [105, 170],
  [35, 100]
]
const DAY_SECONDS = 86_400
/** How long drawn moments stay in use, and the pause after a failure to find them. Milliseconds. */
const DRAWN_FOR = 6 * 3_600_000
const RETRY = 60_000

/** Seconds that a slot is first assumed to take, and the least that is ever assumed. */
const SLOT_SECONDS = 0.4
const LEAST_SLOT_SECONDS = 0.01
/** Tries to find a block that is old enough: some slots have no block. */
const MOST_TURNS = 4
/** After a block that was too young, slots are assumed a little shorter than measured: the next try must go far enough. */
const FURTHER = 0.98
/** A block that is older than its span by no more than this factor is taken as it is. */
const NEAR_ENOUGH = 1.05

const draw = Effect.fnUntraced(function* ({ getMoment }: SolanaHistory, now: ChainTime, [least, most]: Span) {
  const ago = yield* Random.nextRange(least * DAY_SECONDS, most * DAY_SECONDS)
  let [near, slotSeconds] = [{ slots: 0, passed: 0 }, SLOT_SECONDS]
  /** The last block that was found to be old enough. */
  let old: SolanaMoment | null = null
  for (let turn = 0; turn < MOST_TURNS; turn++) {
    const slots = near.slots + Math.ceil((ago - near.passed) / slotSeconds) + turn
    const slot = now.slot - BigInt(slots)
    if (slot <= 0n) return old
    const found = yield* factOf(getMoment(slot), "no block was told")
    if (!found.known) continue
    if (found.value === null) return old
    const passed = now.seconds - found.value.time
    const isYoung = passed < least * DAY_SECONDS
    if (!isYoung) old = found.value
    if (!isYoung && passed <= most * DAY_SECONDS * NEAR_ENOUGH) return old
    const taken = Math.max(LEAST_SLOT_SECONDS, (passed - near.passed) / (slots - near.slots))
    slotSeconds = isYoung ? taken * FURTHER : taken
    if (isYoung) near = { slots, passed }
  }
  return old
})

/** The moments at which all tokens are looked at, for some hours; an empty list where one of them was not found. */
export type Moments = (now: ChainTime) => Effect.Effect<ReadonlyArray<SolanaMoment>>

export const makeMoments = (history: SolanaHistory, spans: ReadonlyArray<Span>): Effect.Effect<Moments> =>
  Effect.gen(function* () {
    const kept = yield* Ref.make<{ readonly until: number; readonly moments: ReadonlyArray<SolanaMoment> }>({
      until: 0,
      moments: []
    })
    const turn = yield* Effect.makeSemaphore(1)
    const drawn = Effect.fnUntraced(function* (now: ChainTime) {
      const time = yield* Clock.currentTimeMillis
      const { moments, until } = yield* Ref.get(kept)
      if (lasts(until, DRAWN_FOR, time)) return moments
      const found = yield* Effect.forEach(spans, (span) => draw(history, now, span), {
        concurrency: "unbounded"
      })
      const all = found.filter((moment) => moment !== null)
      const fresh = all.length === spans.length ? all : []
      yield* Ref.set(kept, { until: time + (fresh.length > 0 ? DRAWN_FOR : RETRY), moments: fresh })
      return fresh
    })
    return (now) => turn.withPermits(1)(drawn(now))
  })
