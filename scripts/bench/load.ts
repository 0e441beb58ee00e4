/** Sends requests over a number of kept connections, each connection one after another. */
import type { Answer, Connection } from "./connection.ts"
import { openConnection } from "./connection.ts"

export interface Asked {
  readonly method: "GET" | "POST"
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string | undefined
}

export interface Told extends Answer {
  readonly millis: number
}

/** Kept connections to one server, opened as they are needed. */
export interface Connections {
  readonly take: (url: URL) => Promise<Connection>
  readonly giveBack: (connection: Connection) => void
  readonly destroy: () => void
}

export const openConnections = (count: number): Connections => {
  const all: Array<Connection> = []
  const free: Array<Connection> = []
  const line: Array<(connection: Connection) => void> = []
  const open = (url: URL): Connection => {
    const made = openConnection(url)
    all.push(made)
    return made
  }
  return {
    take: async (url) =>
      free.shift() ?? (all.length < count ? open(url) : await new Promise((given) => line.push(given))),
    giveBack: (connection) => {
      const next = line.shift()
      if (next === undefined) free.push(connection)
      else next(connection)
    },
    destroy: () => all.forEach((connection) => connection.destroy())
  }
}

/** A request as it is sent. */
const written = (url: URL, { body, headers, method }: Asked): string => {
  const length = body === undefined ? {} : { "content-length": String(Buffer.byteLength(body)) }
  const lines = Object.entries({ host: url.host, ...headers, ...length }).map(
    ([name, value]) => `${name}: ${value}\r\n`
  )
  return `${method} ${url.pathname}${url.search} HTTP/1.1\r\n${lines.join("")}\r\n${body ?? ""}`
}

const exchange = async (connections: Connections, url: URL, request: string): Promise<Told> => {
  const started = performance.now()
  const connection = await connections.take(url)
  const answer = await connection.exchange(request)
  connections.giveBack(connection)
  return { ...answer, millis: performance.now() - started }
}

export const ask = (connections: Connections, asked: Asked): Promise<Told> => {
  const url = new URL(asked.url)
  return exchange(connections, url, written(url, asked))
}

/**
 * What came of a load. Answers are not kept: they would outlive the caller's young collections, which then take up to 30
 * ms, and whoever waited meanwhile would seem to have waited for the server.
 */
export interface Load {
  readonly seconds: number
  /** Of each answer. */
  readonly millis: ReadonlyArray<number>
  /** Answers by their status: how many there were, and what the first one said. */
  readonly statuses: ReadonlyMap<number, { readonly count: number; readonly said: string }>
}

/** What is asked several times is written once. */
const writtenOut = (asked: ReadonlyArray<Asked>) => {
  const known = new Map<Asked, { readonly url: URL; readonly request: string }>()
  return asked.map((one) => {
    const before = known.get(one)
    if (before !== undefined) return before
    const url = new URL(one.url)
    const made = { url, request: written(url, one) }
    known.set(one, made)
    return made
  })
}

/** All requests, as fast as `count` connections carry them. They are written out before the clock runs. */
export const load = async (
  connections: Connections,
  asked: ReadonlyArray<Asked>,
  count: number
): Promise<Load> => {
  const millis: Array<number> = []
  const statuses = new Map<number, { count: number; readonly said: string }>()
  const left = writtenOut(asked).values()
  const started = performance.now()
  const carry = async () => {
    for (const { request, url } of left) {
      const told = await exchange(connections, url, request)
      millis.push(told.millis)
      const alike = statuses.get(told.status)
      if (alike === undefined)
        statuses.set(told.status, { count: 1, said: told.body.toString("utf8", 0, 300) })
      else alike.count += 1
    }
  }
  await Promise.all(Array.from({ length: Math.min(count, asked.length) }, carry))
  return { millis, statuses, seconds: (performance.now() - started) / 1_000 }
}

/** The value below which this share of the values lies. */
export const quantile = (values: ReadonlyArray<number>, share: number): number => {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? 0
}
