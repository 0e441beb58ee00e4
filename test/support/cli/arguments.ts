/** What tests call the command line with. */
import { writeFileSync } from "node:fs"
import { join } from "node:path"
import { Effect } from "effect"
import { evmKey } from "../../../scripts/sandbox/accounts.ts"
import { scopedFolder } from "../scoped-folder.ts"

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

/** A file of this text. */
export const fileOf = (text: string) =>
  Effect.map(scopedFolder, (folder) => {
    const path = join(folder, "tokens.txt")
    writeFileSync(path, text)
    return path
  })
