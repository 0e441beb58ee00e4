/** What a measured process and its workers have used: see `usage-reporter.mjs`. */
import { readdirSync } from "node:fs"
import { connect } from "node:net"
import { join } from "node:path"

export interface Usage {
  readonly cpuMicros: number
  readonly rssBytes: number
}

const NOTHING: Usage = { cpuMicros: 0, rssBytes: 0 }

const ask = (path: string): Promise<Usage> =>
  new Promise((resolve) => {
    let text = ""
    const socket = connect(path)
    socket.on("data", (chunk) => (text += String(chunk)))
    socket.on("error", () => resolve(NOTHING))
    socket.on("close", () => resolve(text === "" ? NOTHING : JSON.parse(text)))
  })

/** The sum over the processes that report in this directory. */
export const usageIn = async (directory: string): Promise<Usage> => {
  const parts = await Promise.all(readdirSync(directory).map((name) => ask(join(directory, name))))
  return parts.reduce(
    (sum, part) => ({
      cpuMicros: sum.cpuMicros + part.cpuMicros,
      rssBytes: sum.rssBytes + part.rssBytes
    }),
    NOTHING
  )
}
