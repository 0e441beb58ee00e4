/**
 * The thread that reads runtime code: started by `screening/base/analysis/threads.ts`, told whose turn it is, and stopped
 * from outside when it does not answer. It holds analyses that pause between their turns.
 */
import { parentPort } from "node:worker_threads"
import { type Analysis, type ThreadMessage, begin, READY } from "./screening/base/analysis/tasks.ts"

const port = parentPort
const paused = new Map<number, Analysis>()

if (port !== null) {
  port.on("message", ({ drop, turn }: ThreadMessage) => {
    for (const job of drop) paused.delete(job)
    if (turn === undefined) return
    const analysis = paused.get(turn.job) ?? begin(turn.task, turn.code, turn.state, turn.around)
    const answer = analysis(turn.milliseconds)
    if (answer === undefined) paused.set(turn.job, analysis)
    else paused.delete(turn.job)
    port.postMessage(answer ?? null)
  })
  port.postMessage(READY)
}
