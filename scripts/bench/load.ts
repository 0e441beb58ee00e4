/** Sends requests over a number of kept connections, each connection one after another. */
import { Agent, request as send } from "node:http"

export interface Asked {
  readonly method: "GET" | "POST"
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

export interface Told {
  readonly status: number
  readonly headers: Readonly<Record<string, string | ReadonlyArray<string> | undefined>>
  readonly body: string
  readonly millis: number
}

export const openConnections = (count: number): Agent =>
  new Agent({ keepAlive: true, maxSockets: count, maxFreeSockets: count, scheduling: "fifo" })

export const ask = (agent: Agent, { body, headers, method, url }: Asked): Promise<Told> =>
  new Promise((resolve, reject) => {
    const started = performance.now()
    const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) }
    const call = send(url, { agent, method, headers: { ...headers, ...length } }, (response) => {
      const chunks: Array<Buffer> = []
      response.on("data", (chunk: Buffer) => chunks.push(chunk))
      response.on("end", () =>
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          body: Buffer.concat(chunks).toString("utf8"),
          millis: performance.now() - started
        })
      )
    })
    call.on("error", reject)
    call.end(body)
  })

export interface Load {
  readonly told: ReadonlyArray<Told>
  readonly seconds: number
}

/** All requests, as fast as `connections` carry them. */
export const load = async (agent: Agent, asked: ReadonlyArray<Asked>, connections: number): Promise<Load> => {
  const told: Array<Told> = []
  const left = asked.values()
  const started = performance.now()
  const carry = async () => {
    for (const one of left) told.push(await ask(agent, one))
  }
  await Promise.all(Array.from({ length: Math.min(connections, asked.length) }, carry))
  return { told, seconds: (performance.now() - started) / 1_000 }
}

/** The value below which this share of the values lies. */
export const quantile = (values: ReadonlyArray<number>, share: number): number => {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0
}
