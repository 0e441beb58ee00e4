/** A line to a server on this machine that seems to be far away. */
import { type AddressInfo, type Socket, connect, createServer } from "node:net"
import { Worker } from "node:worker_threads"
import { Effect } from "effect"

const isAddress = (address: ReturnType<ReturnType<typeof createServer>["address"]>): address is AddressInfo =>
  typeof address === "object" && address !== null

/** Each ends with the other. */
const tie = (one: Socket, other: Socket): void => {
  one.on("close", () => other.destroy())
  one.on("error", () => one.destroy())
}

/**
 * Runs steps so many milliseconds after they are handed over. A timer ends up to two milliseconds late, as it counts whole
 * ones from when the loop last looked at the clock; and a loop that looks until it is time takes a processor from the
 * node that is measured behind the line.
 */
const makeDelay = (millis: number) => {
  const steps: Array<() => void> = []
  const alarm = new Worker(new URL("./alarm-thread.mjs", import.meta.url))
  alarm.unref()
  alarm.on("message", () => steps.shift()?.())
  return {
    after: (step: () => void): void => {
      steps.push(step)
      alarm.postMessage(performance.timeOrigin + performance.now() + millis, [])
    },
    stop: () => void alarm.terminate()
  }
}

/**
 * Starts one; gives its URL. What is sent arrives so many milliseconds later, and answers come back at once: an exchange
 * takes that much longer. Bytes pass as they are, so that who measures times behind it measures neither a parser nor a copy
 * of the bench's: a proxy that read the exchanges of a screening took as much of the processor as the node that answered.
 */
export const startFarLine = (upstream: string, millis: number) =>
  Effect.map(
    Effect.acquireRelease(
      Effect.async<{ readonly url: string; readonly close: () => void }>((resume) => {
        const { hostname, port } = new URL(upstream)
        const open = new Set<Socket>()
        const delay = makeDelay(millis)
        const server = createServer({ noDelay: true }, (near) => {
          const far = connect({ host: hostname, port: Number(port), noDelay: true })
          tie(near, far)
          tie(far, near)
          open.add(near)
          near.on("close", () => open.delete(near))
          near.on("data", (bytes) => delay.after(() => far.write(bytes)))
          far.pipe(near)
        })
        server.listen(0, "127.0.0.1", () => {
          const address = server.address()
          const close = () => {
            server.close()
            delay.stop()
            for (const near of open) near.destroy()
          }
          resume(
            isAddress(address)
              ? Effect.succeed({ url: `http://127.0.0.1:${address.port}`, close })
              : Effect.dieMessage("a line has no port")
          )
        })
      }),
      ({ close }) => Effect.sync(close)
    ),
    ({ url }) => url
  )
