/** A script of this project as one file that Node runs by itself: to load it through tsx takes longer than what it does. */
import { build, type Plugin } from "esbuild"
import { mkdirSync, mkdtempSync, readFileSync, rmSync } from "node:fs"
import { dirname, join } from "node:path"
import { pathToFileURL } from "node:url"

const root = join(import.meta.dirname, "..", "..")

/** Packages with compiled code, and those that look for files beside themselves. */
const EXTERNAL = ["better-sqlite3", "esbuild", "litesvm", "secp256k1"]

/** Each module finds the files beside it, though it runs from elsewhere. */
const inItsPlace: Plugin = {
  name: "in-its-place",
  setup: ({ onLoad }) => {
    onLoad({ filter: /\/(?:scripts|src)\/.*\.m?[jt]s$/ }, ({ path }) => ({
      contents: readFileSync(path, "utf8")
        .replaceAll(/(?<!")import\.meta\.dirname/g, JSON.stringify(dirname(path)))
        .replaceAll(/(?<!")import\.meta\.url/g, JSON.stringify(pathToFileURL(path).href)),
      loader: path.endsWith("ts") ? "ts" : "js"
    }))
  }
}

/** Bundles a script, named from the project's root. The caller removes it by `remove`. */
export const bundleScript = async (
  script: string
): Promise<{ readonly program: string; readonly remove: () => void }> => {
  // Within the project, so that what is external is found.
  const cache = join(root, "node_modules", ".cache", "token-risk")
  mkdirSync(cache, { recursive: true })
  const directory = mkdtempSync(join(cache, "script-"))
  const program = join(directory, "main.mjs")
  await build({
    absWorkingDir: root,
    entryPoints: [script],
    outfile: program,
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    external: EXTERNAL,
    plugins: [inItsPlace],
    // Packages written for CommonJS load others when they run.
    banner: {
      js: 'import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);'
    },
    logLevel: "error"
  })
  return { program, remove: () => rmSync(directory, { recursive: true, force: true }) }
}
