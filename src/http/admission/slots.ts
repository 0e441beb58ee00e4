import { Data, Effect, Exit } from "effect"

/** No slot became free in time, or too many requests wait already. `isOwnLoad`: the address's own ones are in the way. */
export class NoSlot extends Data.TaggedError("NoSlot")<{ readonly isOwnLoad: boolean }> {}

export interface SlotOptions {
  readonly slots: number
  readonly slotsPerAddress: number
  readonly waitingPerAddress: number
  readonly waitSeconds: number
}

type Ticket = {
  readonly address: string
  state: "new" | "waiting" | "held" | "left"
  grant: () => void
}

interface Share {
  held: number
  waiting: number
}

/** What else belongs to the use of a slot. */
export interface SlotUse {
  /** Called when the slot is had, and when it is given back. */
  readonly changed?: () => void
  /** What goes on in the slot after the effect has succeeded, if anything does; nobody waits for it. */
  readonly rest?: () => Effect.Effect<unknown> | undefined
}

export interface Slots {
  /** Runs an effect in a slot; the slot is given back however it ends. */
  readonly use: <A, E, R>(
    address: string,
    effect: Effect.Effect<A, E, R>,
    use?: SlotUse
  ) => Effect.Effect<A, E | NoSlot, R>
  /** Whether this address would get a slot now, before nobody else. */
  readonly isFree: (address: string) => boolean
  readonly inUse: () => number
  readonly waiting: () => number
}

/** What each address has of the slots and of the line. */
const makeShares = (options: SlotOptions) => {
  const shares = new Map<string, Share>()
  let inUse = 0
  const of = (address: string): Share => {
    const share = shares.get(address) ?? { held: 0, waiting: 0 }
    shares.set(address, share)
    return share
  }
  const held = (address: string): number => shares.get(address)?.held ?? 0
  return {
    inUse: () => inUse,
    isFull: (): boolean => inUse >= options.slots,
    hasShare: (address: string): boolean => held(address) >= options.slotsPerAddress,
    hold: (address: string): void => {
      inUse += 1
      of(address).held += 1
    },
    release: (address: string): void => {
      inUse -= 1
      of(address).held -= 1
    },
    /** `false` when too many of the address wait already. */
    wait: (address: string): boolean => {
      const share = of(address)
      if (share.waiting >= options.waitingPerAddress) return false
      share.waiting += 1
      return true
    },
    waitNoMore: (address: string): void => {
      of(address).waiting -= 1
    },
    /** Forgets an address that neither holds a slot nor waits for one. */
    forgetIdle: (address: string): void => {
      const share = shares.get(address)
      if (share?.held === 0 && share.waiting === 0) shares.delete(address)
    }
  }
}

/** Who holds a slot and who waits for one. No time passes here. */
const makeLine = (options: SlotOptions) => {
  const line = new Set<Ticket>()
  const shares = makeShares(options)

  const hasRoom = (address: string): boolean => !shares.isFull() && !shares.hasShare(address)

  const hold = (ticket: Ticket): void => {
    ticket.state = "held"
    shares.hold(ticket.address)
  }

  const stepOut = (ticket: Ticket): void => {
    line.delete(ticket)
    shares.waitNoMore(ticket.address)
  }

  const next = (): void => {
    for (const ticket of line) {
      if (shares.isFull()) return
      if (!hasRoom(ticket.address)) continue
      stepOut(ticket)
      hold(ticket)
      ticket.grant()
    }
  }

  return {
    /** Takes a slot at once, if the address may have one. */
    take: (ticket: Ticket): boolean => {
      if (!hasRoom(ticket.address)) return false
      hold(ticket)
      return true
    },
    /** Joins the line; `false` when too many of the address wait already. */
    join: (ticket: Ticket, grant: () => void): boolean => {
      if (!shares.wait(ticket.address)) return false
      ticket.state = "waiting"
      ticket.grant = grant
      line.add(ticket)
      return true
    },
    leave: (ticket: Ticket): void => {
      const { address, state } = ticket
      ticket.state = "left"
      if (state === "waiting") stepOut(ticket)
      if (state === "held") shares.release(address)
      shares.forgetIdle(address)
      if (state === "held") next()
    },
    noSlot: (address: string) => new NoSlot({ isOwnLoad: shares.hasShare(address) }),
    isFree: (address: string): boolean => line.size === 0 && hasRoom(address),
    inUse: shares.inUse,
    waiting: () => line.size
  }
}

/**
 * A bounded number of slots with a line before them. Whoever is first in line and whose address has not taken its
 * share goes next: the requests of one address wait for each other, never another address for them.
 */
export const makeSlots = (options: SlotOptions): Slots => {
  const line = makeLine(options)

  const wait = (ticket: Ticket) =>
    Effect.async<void, NoSlot>((resume) => {
      if (!line.join(ticket, () => resume(Effect.void))) resume(line.noSlot(ticket.address))
    }).pipe(
      Effect.timeoutFail({
        duration: `${options.waitSeconds} seconds`,
        onTimeout: () => line.noSlot(ticket.address)
      })
    )

  return {
    // One finalizer for every way out, also for an interruption between the grant and the first step of the work.
    use: (address, effect, { changed = () => {}, rest = () => undefined } = {}) =>
      Effect.suspend(() => {
        const ticket: Ticket = { address, state: "new", grant: () => {} }
        const held = Effect.suspend(() => {
          changed()
          return effect
        })
        const entered = Effect.suspend(() => {
          if (!line.take(ticket)) return Effect.zipRight(wait(ticket), held)
          changed()
          return effect
        })
        const leave = Effect.sync(() => {
          line.leave(ticket)
          changed()
        })
        return Effect.onExit(entered, (exit) => {
          const more = Exit.isSuccess(exit) ? rest() : undefined
          return more === undefined
            ? leave
            : Effect.forkDaemon(Effect.ensuring(Effect.interruptible(more), leave))
        })
      }),
    isFree: line.isFree,
    inUse: line.inUse,
    waiting: line.waiting
  }
}
