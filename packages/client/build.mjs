/** Compiles the client's sources, and the few pure ones of `src/domain` they use, into `dist`. */
import { spawnSync } from "node:child_process"
import { rmSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const here = dirname(fileURLToPath(import.meta.url))
rmSync(join(here, "dist"), { recursive: true, force: true })
const { status } = spawnSync(
  process.execPath,
  [join(here, "../../node_modules/typescript/bin/tsc"), "-p", join(here, "tsconfig.json")],
  { stdio: "inherit" }
)
process.exit(status ?? 1)
