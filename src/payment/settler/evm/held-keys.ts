import { Clock, Duration, Effect, Option, Queue } from "effect"
import type { UpstreamError } from "../../../domain/errors.ts"
import type { Terms } from "./choice.ts"
import type { Address, SettlementJournal } from "./journal.ts"
import type { KeySender } from "./key-sender.ts"
import type { Recorded } from "./recorder.ts"
import { atNow } from "../../../domain/now.ts"

/**
 * Milliseconds between two looks at the chain while everything in flight is in blocks that a reorganisation may still
 * remove.
 */
const LOOK_BACK = 2_000

/**
 * Milliseconds after which a transaction that was just sent is looked for at the latest: some nodes make a block of it at
 * once. Where it was there, the next one is looked for a little sooner; where not, as much later, but never later than this.
 */
const SOON = 15
const SOONEST = 1
const STEP = 1.25
/** How many times longer each further look waits. */
const RARER = 4

/** A key as this process sees it. Whether it is ours is decided by the database each time it signs. */
export interface KeyState {
  readonly sender: KeySender
  readonly wake: Queue.Queue<void>
  /** Something was just sent: it may be in a block before the next look is due. */
  readonly sent: Queue.Queue<void>
  heldUntil: number
  /** `undefined`: learn it from chain and journal before the next transaction. */
  nonce: number | undefined
  inFlight: number
  /** Of what was sent, what the chain has taken without a receipt being there. */
  unseen: number
  unfinished: number
  lookedAt: number
  /** Milliseconds after which what was just sent is looked for. */
  soon: number
  /** Whether the next look is the first one at what was just sent. */
  isFirstLook: boolean
  /** Milliseconds until the next look after something was sent. */
  pause: number
}

const makeState = (sender: KeySender) =>
  Effect.map(Effect.all([Queue.dropping<void>(1), Queue.dropping<void>(1)]), ([wake, sent]): KeyState => ({
    sender,
    wake,
    sent,
    heldUntil: 0,
    nonce: undefined,
    inFlight: 0,
    unseen: 0,
    unfinished: 1,
    lookedAt: 0,
    soon: SOON,
    isFirstLook: false,
    pause: SOON
  }))

/** Learns from the first look at what was just sent, unless an earlier look has found it. */
const learn = (state: KeyState, left: number): void => {
  if (!state.isFirstLook || state.inFlight === 0) return
  state.isFirstLook = false
  state.soon =
    left < state.inFlight ? Math.max(SOONEST, state.soon / STEP) : Math.min(SOON, state.soon * STEP)
}

/** Waits until the next look is due: soon after something was sent, and then ever later. */
const untilLook = Effect.fnUntraced(function* (state: KeyState, every: number) {
  const isDue = state.inFlight + state.unseen > 0 && state.pause < every
  const sent = yield* Effect.timeoutOption(
    Queue.take(state.sent),
    Duration.millis(isDue ? state.pause : every)
  )
  if (Option.isSome(sent)) yield* Effect.sleep(Duration.millis(state.soon))
  if (Option.isSome(sent) || isDue) state.lookedAt = 0
  state.isFirstLook = Option.isSome(sent)
  state.pause = (Option.isSome(sent) ? state.soon : state.pause) * RARER
})

/** Tells of each key whether it has what sending takes, or no key has. */
export type CanPay = (address: Address) => boolean

interface HeldKeysOptions {
  readonly keys: ReadonlyArray<KeySender>
  readonly journal: Pick<SettlementJournal["Type"], "hold" | "lease" | "release">
  readonly terms: Effect.Effect<Terms, UpstreamError>
  readonly canPay: CanPay
  /** Milliseconds between two looks while something waits for a block. */
  readonly look: number
  /** Tells whoever waits. */
  readonly announce: (results: ReadonlyArray<Recorded>) => Effect.Effect<void>
}

/** The keys of this process: which of them it holds by lease, and what it sees of their transactions. */
export const makeHeldKeys = Effect.fnUntraced(function* ({
  announce,
  canPay,
  journal,
  keys,
  look: every,
  terms
}: HeldKeysOptions) {
  const states = yield* Effect.forEach(keys, makeState)

  const isHeld = ({ heldUntil }: KeyState) => atNow((now) => heldUntil > now)

  const hold = Effect.fnUntraced(function* (state: KeyState) {
    const asked = yield* Clock.currentTimeMillis
    const wasHeld = state.heldUntil > asked
    if (!(yield* journal.hold(state.sender.address))) return void (state.heldUntil = 0)
    state.heldUntil = asked + journal.lease
    if (wasHeld) return
    state.nonce = undefined
    state.unfinished = 1
  })

  const look = Effect.fnUntraced(function* (state: KeyState) {
    const now = yield* Clock.currentTimeMillis
    if (state.heldUntil <= now || state.unfinished === 0) return
    // A clock that was set back must not put the next look off.
    if (Math.abs(now - state.lookedAt) < (state.inFlight > 0 ? every : LOOK_BACK)) return
    state.lookedAt = now
    const prices = yield* terms
    const { inFlight, unfinished } = state
    const seen = yield* state.sender.look(prices)
    if (seen.isGapped) state.nonce = undefined
    learn(state, seen.waiting + seen.unseen)
    // What was sent meanwhile this look may not have seen: without it the next one might never come.
    state.inFlight = seen.waiting + Math.max(0, state.inFlight - inFlight)
    state.unseen = seen.unseen
    state.unfinished = seen.unfinished + Math.max(0, state.unfinished - unfinished)
    yield* announce(seen.results)
  })

  const finish = Effect.fnUntraced(function* (state: KeyState) {
    if (!(yield* isHeld(state))) return
    yield* announce(yield* state.sender.finish((yield* terms).price))
  })

  return {
    states,
    isHeld,
    /** Whether this process can send: it holds a key that can pay. */
    isAnyHeld: Effect.map(Effect.filter(states, isHeld), (held) =>
      held.some(({ sender }) => canPay(sender.address))
    ),
    /** Takes or renews a key's lease. */
    hold,
    /** One look at the chain for what the key has in flight. */
    look,
    untilLook: (state: KeyState) => untilLook(state, every),
    /** Closes what is in a safe block. */
    finish,
    wakeAll: Effect.forEach(states, ({ wake }) => wake.offer(undefined), { discard: true }),
    releaseAll: Effect.forEach(states, ({ sender }) => journal.release(sender.address), { discard: true })
  }
})

export type HeldKeys = Effect.Effect.Success<ReturnType<typeof makeHeldKeys>>
