/** A node whose answers come only when nothing more is asked: how many answers, one after another, somebody waits for. */

/** Rounds of the event loop without a request after which nobody is about to ask: threads that analyse code need their time. */
const QUIET_ROUNDS = 1_000

export interface Waves {
  readonly fetch: typeof globalThis.fetch
  /** The bodies of what was asked in each wave. */
  readonly asked: () => ReadonlyArray<ReadonlyArray<string>>
}

/** Answers of the node behind are held back until all of a wave are there and no further request comes. */
export const heldBack = (): Waves => {
  const waves: Array<ReadonlyArray<string>> = []
  let held: Array<() => void> = []
  let current: Array<string> = []
  let awaited = 0
  let quiet = 0
  let isWatching = false

  const watch = (): void => {
    quiet = awaited > 0 ? 0 : quiet + 1
    if (quiet < QUIET_ROUNDS) {
      setImmediate(watch)
      return
    }
    isWatching = false
    waves.push(current)
    const ready = held
    held = []
    current = []
    for (const release of ready) release()
  }

  const fetch: Waves["fetch"] = async (input, init) => {
    current.push(typeof init?.body === "string" ? init.body : "")
    quiet = 0
    awaited += 1
    const response = await globalThis.fetch(input, init)
    const body = await response.arrayBuffer()
    awaited -= 1
    const released = new Promise<void>((resolve) => held.push(resolve))
    if (!isWatching) {
      isWatching = true
      setImmediate(watch)
    }
    await released
    return new Response(body, { status: response.status, headers: { "content-type": "application/json" } })
  }
  return { fetch, asked: () => waves }
}
