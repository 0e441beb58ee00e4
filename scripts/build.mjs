/**
 * Builds `src` into `dist` beside it and then swaps the directories, so that nobody ever sees half a build. Does
 * nothing when the sources are those of the last build. `--prepare` is npm's own call after an installation:
 * `npx token-risk` makes it too, and then a build that exists stays as it is, because a service may be running from it.
 */
import { spawnSync } from "node:child_process"
import { chmodSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { bundle, fingerprint, root } from "./bundle.mjs"

const dist = join(root, "dist")
const stamp = "build.sha256"

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
// `mkdtemp` shuts out all but its own account, and the service may run under another one.
chmodSync(fresh, 0o777 & ~process.umask())

/** The types of the exports, and the proof that the sources have no type errors. */
const declare = () => {
  const { status } = spawnSync(
    process.execPath,
    [
      join(root, "node_modules/@typescript/native/bin/tsc"),
      "-p",
      "tsconfig.build.json",
      "--outDir",
      fresh,
      "--singleThreaded"
    ],
    { cwd: root, stdio: "inherit" }
  )
  if (status !== 0) throw new Error("the types do not fit")
}

try {
  declare()
  await bundle(fresh)
} catch (error) {
  rmSync(fresh, { recursive: true, force: true })
  console.error(`build: ${error instanceof Error ? error.message : error}`)
  process.exit(1)
}
// npm sets it when it links the command; a build after that must not take it away.
chmodSync(join(fresh, "cli/main.js"), 0o755)
writeFileSync(join(fresh, stamp), current)
const old = `${fresh}-old`
if (existsSync(dist)) renameSync(dist, old)
renameSync(fresh, dist)
rmSync(old, { recursive: true, force: true })
