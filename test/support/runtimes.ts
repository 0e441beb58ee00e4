/** JavaScript runtimes beside Node, and the MCP inspector, from the registry, kept between runs: too large to be everybody's dependencies. */
import { execFile } from "node:child_process"
import { existsSync, mkdirSync, readdirSync, writeFileSync } from "node:fs"
import { join } from "node:path"
import { fileURLToPath } from "node:url"
import { promisify } from "node:util"

const PLACE = fileURLToPath(new URL("../../node_modules/.cache/token-risk-runtimes", import.meta.url))
const VERSIONS = {
  deno: "2.9.6",
  bun: "1.4.5",
  "@edge-runtime/vm": "5.0.0",
  "@modelcontextprotocol/inspector": "2.12.0"
}

/** The only file of a folder's only folder: builds for other machines are not installed. */
const binary = (scope: string, path: string): string => {
  const folder = join(PLACE, "node_modules", scope)
  const found = readdirSync(folder)
    .map((build) => join(folder, build, path))
    .find((file) => existsSync(file))
  if (found === undefined) throw new Error(`no ${path} for this machine`)
  return found
}

/** Before the long suites, once: two of them at a time would install over one another. */
export default async () => {
  mkdirSync(PLACE, { recursive: true })
  writeFileSync(join(PLACE, "package.json"), JSON.stringify({ private: true, dependencies: VERSIONS }))
  const quiet = ["--no-audit", "--no-fund", "--ignore-scripts", "--prefer-offline"]
  await promisify(execFile)("npm", ["install", ...quiet], { cwd: PLACE })
}

/** Paths of the executables, of the edge runtime's module, and of the inspector. */
export const installedRuntimes = () => ({
  deno: binary("@deno", "deno"),
  bun: binary("@oven", "bin/bun"),
  inspector: {
    package: join(PLACE, "node_modules/@modelcontextprotocol/inspector"),
    command: join(PLACE, "node_modules/.bin/inspector")
  },
  edge: join(PLACE, "node_modules/@edge-runtime/vm/dist/index.js")
})
