/**
 * Loaded into the attacked service (`node --import`): how long its event loop stood still, and how much of that by the
 * service's own doing. The attack, the payer, the chains and the service share the processors: a thread that is ready to
 * run and not let run has blocked nothing, and neither has one that sleeps until something comes, or one that waits for
 * the process's other threads, which collect memory with it, while those are not let run. Linux tells of each thread how
 * long it ran and how long it waited; elsewhere nothing counts as waiting. Whoever connects to the socket `STALL_SOCKET`
 * reads the worst since the last one who did, in milliseconds.
 */
import { existsSync, openSync, readdirSync, readSync } from "node:fs"
import { createServer } from "node:net"
import { isMainThread } from "node:worker_threads"

const socket = process.env["STALL_SOCKET"]
const RESOLUTION_MILLIS = 5
/** Two readings this far apart are of one moment. */
const MOMENT_MILLIS = 1
const THREADS = "/proc/self/task"
const MAIN = String(process.pid)

/** Milliseconds that a thread has run, and that it has waited, ready to run, for a processor; as the kernel counts them. */
const makeReading = (thread) => {
  const file = openSync(`${THREADS}/${thread}/schedstat`, "r")
  const figures = Buffer.alloc(128)
  return () => {
    const [ran, waited] = figures
      .toString("latin1", 0, readSync(file, figures, 0, figures.length, 0))
      .split(" ")
    return { ran: Number(ran) / 1e6, waited: Number(waited) / 1e6 }
  }
}

/** The main thread, and what the others have waited: those that V8 had from the start, which are its helpers. */
const makeThreads = () => {
  if (!existsSync(`${THREADS}/${MAIN}/schedstat`)) return () => ({ ran: 0, waited: 0, others: [] })
  const main = makeReading(MAIN)
  const others = readdirSync(THREADS)
    .filter((thread) => thread !== MAIN)
    .map(makeReading)
  return () => ({ ...main(), others: others.map((read) => read().waited) })
}

/** All figures of one moment: a thread put off while it reads them would count a wait before the time it took. */
const makeMoment = () => {
  const threads = makeThreads()
  return () => {
    for (;;) {
      const at = performance.now()
      const figures = { at, ...threads(), idle: performance.nodeTiming.idleTime }
      if (performance.now() - at < MOMENT_MILLIS) return figures
    }
  }
}

/** The longest that one of the other threads has waited meanwhile. */
const othersWaited = (before, now) =>
  Math.max(0, ...now.others.map((waited, index) => waited - before.others[index]))

const report = (path) => {
  const moment = makeMoment()
  let worst = { stall: 0, own: 0 }
  let before = moment()
  setInterval(() => {
    const now = moment()
    const passed = now.at - before.at
    const stall = Math.max(0, passed - RESOLUTION_MILLIS)
    const busy = passed - (now.idle - before.idle)
    // Each leaves out what the other may hold: asleep is not waiting, but a sleeper who is woken may wait.
    const awake = Math.min(stall - (now.waited - before.waited), busy)
    // The others may have waited beside what this thread did; so what it ran counts in any case.
    const own = Math.max(0, awake - othersWaited(before, now), now.ran - before.ran - RESOLUTION_MILLIS)
    worst = { stall: Math.max(worst.stall, stall), own: Math.max(worst.own, own) }
    before = now
  }, RESOLUTION_MILLIS).unref()
  createServer((asking) => {
    asking.on("error", () => {}).end(JSON.stringify(worst))
    worst = { stall: 0, own: 0 }
  })
    .listen(path)
    .unref()
}

if (isMainThread && socket !== undefined) report(socket)
