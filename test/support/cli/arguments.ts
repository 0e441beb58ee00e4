/** What tests call the command line with. */
import { mkdtempSync, rmSync, writeFileSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { Effect } from "effect"
import { evmKey } from "../../../scripts/sandbox/accounts.ts"

export const environment = { TOKEN_RISK_BASE_KEY: evmKey("payer") }
export const TOKEN = "0x4200000000000000000000000000000000000006"
export const pingArgs = (url: string, ...more: ReadonlyArray<string>) => [
  "ping",
  "base",
  TOKEN,
  "--url",
  url,
  ...more
]

export const fileOf = (text: string) =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const directory = mkdtempSync(join(tmpdir(), "token-risk-cli-"))
      const path = join(directory, "tokens.txt")
      writeFileSync(path, text)
      return { directory, path }
    }),
    ({ directory }) => Effect.sync(() => rmSync(directory, { recursive: true }))
  ).pipe(Effect.map(({ path }) => path))
