/** Debian's Chromium, headless, for tests that want a real browser. `CHROMIUM` names another one. */
import { spawn } from "node:child_process"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

// Without a debugging port a headless browser ends when the page has loaded.
const FLAGS = [
  "--headless=new",
  "--remote-debugging-port=0",
  "--no-sandbox",
  "--disable-gpu",
  "--disable-dev-shm-usage",
  "--no-first-run"
]

/** Starts the browser on a page. `close` ends it, with all its helpers, and removes its profile. */
export const openChromium = (url: string, ...flags: ReadonlyArray<string>) => {
  const profile = mkdtempSync(join(tmpdir(), "token-risk-chromium-"))
  const child = spawn(
    process.env["CHROMIUM"] ?? "chromium",
    [...FLAGS, `--user-data-dir=${profile}`, ...flags, url],
    { stdio: "ignore", detached: true }
  )
  const ended = new Promise<void>((resolve, reject) => {
    child.once("error", () => reject(new Error("no Chromium: apt-get install chromium, or set CHROMIUM")))
    child.once("exit", () => resolve())
  })
  const close = async (): Promise<void> => {
    // Its helpers would go on writing into the profile.
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, "SIGKILL")
    await ended
    rmSync(profile, { recursive: true, force: true, maxRetries: 20 })
  }
  return { close }
}
