/** A Chromium that is spoken to over its own pipe. Source: Chrome DevTools Protocol, `--remote-debugging-pipe`. */
import { spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

const FLAGS = [
  "--headless=new",
  "--remote-debugging-pipe",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-dev-shm-usage",
  "--no-first-run",
  "--hide-scrollbars"
]

interface Message {
  readonly id?: number
  readonly method?: string
  readonly sessionId?: string
  readonly params?: Readonly<Record<string, unknown>>
  readonly result?: Readonly<Record<string, unknown>>
  readonly error?: { readonly message: string }
}

export type Params = Readonly<Record<string, unknown>>

/** One connection over the browser's own pipe: JSON messages that end in a zero byte. */
export const connect = () => {
  const profile = mkdtempSync(join(tmpdir(), "token-risk-chromium-"))
  const child = spawn(
    process.env["CHROMIUM"] ?? "chromium",
    [...FLAGS, `--user-data-dir=${profile}`, "about:blank"],
    { stdio: ["ignore", "ignore", "ignore", "pipe", "pipe"], detached: true }
  )
  const [, , , toBrowser, fromBrowser] = child.stdio
  const waiting = new Map<number, (message: Message) => void>()
  const listeners = new Set<(message: Message) => void>()
  // A browser that is killed resets its pipes, and an end without a listener would be an error of the test that runs.
  for (const pipe of [toBrowser, fromBrowser]) pipe?.on("error", () => undefined)
  let [last, rest] = [0, ""]
  fromBrowser?.on("data", (chunk: Buffer) => {
    const parts = (rest + chunk.toString("utf8")).split("\0")
    rest = parts.pop() ?? ""
    for (const part of parts) {
      const message: Message = JSON.parse(part)
      if (message.id === undefined) for (const listen of listeners) listen(message)
      else waiting.get(message.id)?.(message)
    }
  })
  const ended = new Promise<void>((resolve) => child.once("exit", () => resolve()))
  const missing = new Promise<never>((_, reject) =>
    child.once("error", () => reject(new Error("no Chromium: apt-get install chromium, or set CHROMIUM")))
  )
  missing.catch(() => undefined)
  const ask = (method: string, params: Params, sessionId?: string): Promise<Params> =>
    new Promise((resolve, reject) => {
      const id = ++last
      waiting.set(id, ({ error, result }) => {
        waiting.delete(id)
        if (error === undefined) resolve(result ?? {})
        else reject(new Error(`${method}: ${error.message}`))
      })
      const message = { id, method, params, ...(sessionId === undefined ? {} : { sessionId }) }
      if (toBrowser !== null && toBrowser !== undefined && "write" in toBrowser)
        toBrowser.write(`${JSON.stringify(message)}\0`)
    })
  const send = (method: string, params: Params = {}, sessionId?: string): Promise<Params> =>
    Promise.race([missing, ask(method, params, sessionId)])
  const close = async () => {
    // With all its helpers, which would go on writing into the profile.
    if (child.pid !== undefined) {
      process.kill(-child.pid, "SIGKILL")
      await ended
    }
    rmSync(profile, { recursive: true, force: true, maxRetries: 20 })
  }
  return { send, listeners, close }
}

export type Connection = ReturnType<typeof connect>
