import { describe, expect, it } from "vitest"
import { makeArrivals } from "../../src/http/arrivals.ts"
import { makeTurns } from "../../src/http/turns.ts"

/** An event loop by hand. Each round takes a millisecond, and each step of work this many more. */
const byHand = (stepMillis: number) => {
  const later: Array<() => void> = []
  const onLater = (step: () => void) => void later.push(step)
  const done: Array<string> = []
  let millis = 0
  const arrivals = makeArrivals(onLater)
  const turns = makeTurns(arrivals, { now: () => millis, later: onLater })
  const step = (name: string) => (): true => {
    millis += stepMillis
    done.push(name)
    return true
  }
  return {
    done,
    now: () => millis,
    give: (peer: string) => turns.takeNow(step(peer)) ?? turns.takeLater(peer, step(peer)),
    /** One round, in which a connection is taken or none is. */
    round: ({ connection }: { readonly connection: boolean }) => {
      millis += 1
      if (connection) arrivals.note()
      for (const one of later.splice(0)) one()
    },
    isIdle: () => later.length === 0
  }
}

describe("the work of a round", () => {
  const NONE = { connection: false }

  it("is sixteen steps at most, and the others wait for the next", () => {
    const { done, give, isIdle, round } = byHand(0)
    for (let step = 0; step < 40; step += 1) give("a")
    expect(done).toHaveLength(16)
    round(NONE)
    expect(done).toHaveLength(32)
    round(NONE)
    expect(done).toHaveLength(40)
    round(NONE)
    expect(isIdle()).toBe(true)
  })

  it("is bounded anew in each round", () => {
    const { done, give, round } = byHand(0)
    for (let rounds = 1; rounds <= 3; rounds += 1) {
      for (let step = 0; step < 16; step += 1) give("a")
      expect(done).toHaveLength(16 * rounds)
      round(NONE)
    }
  })

  it("is over after eight milliseconds", () => {
    const { done, give, round } = byHand(4)
    for (let step = 0; step < 5; step += 1) give("a")
    expect(done).toHaveLength(2)
    round(NONE)
    expect(done).toHaveLength(4)
    round(NONE)
    expect(done).toHaveLength(5)
  })

  it("is not a newcomer's before those who wait", () => {
    const { done, give, round } = byHand(0)
    for (let step = 0; step < 60; step += 1) give("a")
    round({ connection: true })
    round({ connection: true })
    // Now the others are put off, and when the next connection does not come, they have not had their turn yet.
    round(NONE)
    expect(done).toHaveLength(48)
    give("a newcomer")
    expect(done).toHaveLength(48)
    round(NONE)
    expect(done.indexOf("a newcomer")).toBe(49)
  })
})

describe("work beside connections that keep coming", () => {
  it("is done at once where they come one by one", () => {
    const { done, give, round } = byHand(1)
    for (let connection = 1; connection <= 5; connection += 1) {
      round({ connection: true })
      give("a")
      expect(done).toHaveLength(connection)
      round({ connection: false })
    }
  })

  it("waits until all of them are in, and then goes on peer by peer", () => {
    const { done, give, isIdle, round } = byHand(1)
    round({ connection: true })
    round({ connection: true })
    for (const peer of ["a", "a", "a", "b"]) give(peer)
    for (let more = 0; more < 10; more += 1) round({ connection: true })
    expect(done).toEqual([])
    round({ connection: false })
    expect(done.toSorted()).toEqual(["a", "a", "a", "b"])
    expect(done.indexOf("b")).toBeLessThanOrEqual(1)
    round({ connection: false })
    round({ connection: false })
    expect(isIdle()).toBe(true)
  })

  it("has a turn every 24 milliseconds although they never end", () => {
    const { done, give, now, round } = byHand(3)
    round({ connection: true })
    round({ connection: true })
    for (let step = 0; step < 12; step += 1) give("a")
    const begun: Array<number> = []
    for (let before = 0; done.length < 12; before = done.length) {
      round({ connection: true })
      if (done.length > before) begun.push(now())
    }
    // Three steps of three milliseconds are a turn of eight.
    expect(begun).toHaveLength(4)
    for (const [index, at] of begun.entries()) {
      expect(at - (begun[index - 1] ?? 2)).toBeGreaterThanOrEqual(24)
      expect(at - (begun[index - 1] ?? 2)).toBeLessThanOrEqual(24 + 9 + 1)
    }
  })
})
