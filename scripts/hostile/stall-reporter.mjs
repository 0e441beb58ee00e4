/**
 * Loaded into the attacked service (`node --import`): how long its event loop stood still, and how much of that it stood
 * because others had the processors. The attack, the payer, the chains and the service share them, and a process that is
 * ready to run and not let run has blocked nothing. Linux tells both of a thread; elsewhere nothing counts as waiting.
 * Whoever connects to the socket `STALL_SOCKET` reads the worst since the last one who did, in milliseconds.
 */
import { existsSync, readFileSync } from "node:fs"
import { createServer } from "node:net"
import { isMainThread } from "node:worker_threads"

const socket = process.env["STALL_SOCKET"]
const RESOLUTION_MILLIS = 5
const SCHEDULER = `/proc/self/task/${process.pid}/schedstat`

/** Nanoseconds this thread has waited, ready to run, for a processor; the second of the kernel's three figures. */
const waitedNanos = () => (existsSync(SCHEDULER) ? Number(readFileSync(SCHEDULER, "utf8").split(" ")[1]) : 0)

const report = (path) => {
  let worst = { stall: 0, own: 0 }
  let before = { at: performance.now(), waited: waitedNanos() }
  setInterval(() => {
    const now = { at: performance.now(), waited: waitedNanos() }
    const stall = Math.max(0, now.at - before.at - RESOLUTION_MILLIS)
    const own = Math.max(0, stall - (now.waited - before.waited) / 1e6)
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
