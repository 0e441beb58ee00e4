/**
 * A primary of one worker that does nothing. The worker is killed, and told something before the primary can have noticed;
 * then the next one is waited for. With an argument the primary is killed, and the worker tells it something when it has
 * gone. Prints what happened.
 */
import cluster from "node:cluster"
import { Effect } from "effect"
import { isWorker, obeyPrimary, runPrimary, tellPrimary } from "../../src/server/cluster.ts"

const say = (word: string): unknown => process.stdout.write(`${word}\n`)
const isPrimaryKilled = process.argv[2] !== undefined

const killAndTell = Effect.sync(() => {
  if (isPrimaryKilled) return process.kill(process.pid, "SIGKILL")
  const [worker] = Object.values(cluster.workers ?? {})
  if (worker?.process.pid === undefined) return
  process.kill(worker.process.pid, "SIGKILL")
  const until = Date.now() + 300
  while (Date.now() < until);
  say(worker.isConnected() ? "told" : "too late")
  worker.send("hello")
})

let served = 0
cluster.on("message", (_worker, message) => {
  if (message !== "token-risk/serving") return
  served += 1
  if (served === 2) {
    say("served again")
    process.kill(process.pid, "SIGTERM")
  }
})

const serve = Effect.zipRight(tellPrimary, Effect.never)
const fiber = Effect.runFork(isWorker ? serve : Effect.ignore(runPrimary(1, killAndTell)))
if (isWorker) obeyPrimary()
process.on("SIGTERM", () => {
  if (isPrimaryKilled) process.send?.("hello")
  setImmediate(() => {
    fiber.unsafeInterruptAsFork(fiber.id())
    fiber.addObserver(() => {
      if (isPrimaryKilled) say("drained")
      process.exit(0)
    })
  })
})
