/**
 * Waits in a thread of its own until each moment it is told, in their order, and says so. A wait for a word of memory that
 * nobody changes ends a tenth of a millisecond late and takes nothing of the processor.
 */
import { parentPort as port } from "node:worker_threads"

const never = new Int32Array(new SharedArrayBuffer(4))

port.on("message", (due) => {
  const left = due - (performance.timeOrigin + performance.now())
  if (left > 0) Atomics.wait(never, 0, 0, left)
  port.postMessage(due, [])
})
