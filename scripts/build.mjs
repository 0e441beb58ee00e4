/**
 * Compiles `src` to `dist` beside it and then swaps the directories, so that nobody ever sees half a build. Does
 * nothing when the sources are those of the last build. `--prepare` is npm's own call after an installation:
 * `npx token-risk` makes it too, and then a build that exists stays as it is, because a service may be running from it.
 */
import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync
} from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const dist = join(root, "dist")
const stamp = "build.sha256"

const filesIn = (directory) =>
  readdirSync(join(root, directory), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

const fingerprint = () => {
  const hash = createHash("sha256")
  const settings = ["package.json", "tsconfig.json", "tsconfig.build.json"].map((name) => join(root, name))
  for (const path of [...filesIn("src"), ...settings].toSorted())
    hash.update(path.slice(root.length)).update("\0").update(readFileSync(path)).update("\0")
  return hash.digest("hex")
}

const built = () => {
  try {
    return readFileSync(join(dist, stamp), "utf8")
  } catch {
    return undefined
  }
}

const viaNpx = process.argv.includes("--prepare") && process.env["npm_command"] === "exec"
const current = fingerprint()
if (built() === current || (viaNpx && existsSync(dist))) process.exit(0)

const fresh = mkdtempSync(join(root, ".dist-"))
const { status } = spawnSync(
  process.execPath,
  [join(root, "node_modules/typescript/bin/tsc"), "-p", "tsconfig.build.json", "--outDir", fresh],
  { cwd: root, stdio: "inherit" }
)
if (status !== 0) {
  rmSync(fresh, { recursive: true, force: true })
  process.exit(status ?? 1)
}
// npm sets it when it links the command; a build after that must not take it away.
chmodSync(join(fresh, "cli/main.js"), 0o755)
writeFileSync(join(fresh, stamp), current)
const old = `${fresh}-old`
if (existsSync(dist)) renameSync(dist, old)
renameSync(fresh, dist)
rmSync(old, { recursive: true, force: true })
