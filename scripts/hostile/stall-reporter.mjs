/**
 * Loaded into the attacked service (`node --import`): how long its event loop stood still, and how much of that by the
 * service's own doing. The attack, the payer, the chains and the service share the processors: a thread that is ready to
 * run and not let run has blocked nothing, and neither has one that sleeps until something comes. Linux tells the first
 * of a thread; elsewhere nothing counts as waiting. Whoever connects to the socket `STALL_SOCKET` reads the worst since
 * the last one who did, in milliseconds.
 */
import { existsSync, openSync, readSync } from "node:fs"
import { createServer } from "node:net"
import { isMainThread } from "node:worker_threads"

const socket = process.env["STALL_SOCKET"]
const RESOLUTION_MILLIS = 5
/** Two readings this far apart are of one moment. */
const MOMENT_MILLIS = 1
const SCHEDULER = `/proc/self/task/${process.pid}/schedstat`

/** Milliseconds this thread has waited, ready to run, for a processor: the second of the kernel's three figures. */
const makeWaited = () => {
  if (!existsSync(SCHEDULER)) return () => 0
  const file = openSync(SCHEDULER, "r")
  const figures = Buffer.alloc(128)
  return () =>
    Number(figures.toString("latin1", 0, readSync(file, figures, 0, figures.length, 0)).split(" ")[1]) / 1e6
}

/** All figures of one moment: a thread put off while it reads them would count a wait before the time it took. */
const makeMoment = () => {
  const waited = makeWaited()
  return () => {
    for (;;) {
      const at = performance.now()
      const figures = { at, waited: waited(), idle: performance.nodeTiming.idleTime }
      if (performance.now() - at < MOMENT_MILLIS) return figures
    }
  }
}

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
    const own = Math.max(0, Math.min(stall - (now.waited - before.waited), busy))
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
