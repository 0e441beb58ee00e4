/**
 * Loaded into the service by `node --import`, by tests only: ends the process with SIGKILL at a chosen step of a sale.
 * A step is a statement of SQLite, or a write to a database or node over a socket. Counting starts with the first paid
 * request or checkout verification after the file `KILL_PLAN` says `{"step": n, "after": boolean}`; an empty file kills nothing. `after`: the step
 * is done, and nobody hears of it.
 */
import { readFileSync } from "node:fs"
import { createRequire } from "node:module"
import http from "node:http"
import net from "node:net"

const planFile = process.env.KILL_PLAN
let plan
let steps = 0

const die = () => process.kill(process.pid, "SIGKILL")

/** Counts a step; `true` when the process must end after it. It ends here when it must not be done at all. */
const isLast = () => {
  if (plan === undefined) return false
  steps += 1
  if (steps < plan.step) return false
  if (!plan.after) die()
  return true
}

const arm = (request) => {
  if (plan !== undefined) return
  const isPaid = request.headers["payment-signature"] !== undefined || (request.url ?? "").endsWith("/verify")
  const text = isPaid ? readFileSync(planFile, "utf8").trim() : ""
  if (text !== "") plan = JSON.parse(text)
}

const emit = http.Server.prototype.emit
http.Server.prototype.emit = function (event, ...args) {
  if (event === "request") arm(args[0])
  return emit.call(this, event, ...args)
}

const write = net.Socket.prototype.write
net.Socket.prototype.write = function (...args) {
  const isOutgoing = this.remoteAddress !== undefined && (this.server ?? null) === null
  const last = isOutgoing && isLast()
  const written = write.apply(this, args)
  // Long enough for the other side to have it, too short for its reply to be used.
  if (last) setTimeout(die, 2)
  return written
}

const Database = createRequire(import.meta.url)("better-sqlite3")
const memory = new Database(":memory:")
const statement = Object.getPrototypeOf(memory.prepare("SELECT 1"))
memory.close()
for (const name of ["run", "all", "get"]) {
  const original = statement[name]
  statement[name] = function (...args) {
    const last = isLast()
    const result = original.apply(this, args)
    if (last) die()
    return result
  }
}
