/**
 * The programs as few files: loading two thousand modules takes two seconds of every start, and half the memory of a
 * service that has just begun. Not minified, so that a stack names its functions; maps lie beside the files, for
 * `node --enable-source-maps`, which costs 100 MB and is therefore not the default.
 */
import { createHash } from "node:crypto"
import { readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** Beneath `src`; each becomes a file of the same place beneath the output. */
const ENTRIES = ["main.ts", "analysis-thread.ts", "cli/main.ts", "client/index.ts"]

/** Compiled code, and what its packages try to load without needing it. */
const EXTERNAL = [
  "better-sqlite3",
  "secp256k1",
  "pg-native",
  "bufferutil",
  "utf-8-validate",
  "msgpackr-extract"
]

const filesIn = (directory) =>
  readdirSync(join(root, directory), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name))

/** SHA-256 of everything a build is made of but the installed packages, in hexadecimal. */
export const fingerprint = () => {
  const hash = createHash("sha256")
  const settings = ["package.json", "tsconfig.json", "tsconfig.build.json", "scripts/bundle.mjs"]
  for (const path of [...filesIn("src"), ...settings.map((name) => join(root, name))].toSorted())
    hash.update(path.slice(root.length)).update("\0").update(readFileSync(path)).update("\0")
  return hash.digest("hex")
}

/** Writes the programs into a directory, which is made. Rejects, after printing why, when a source is wrong. */
export const bundle = async (outdir) => {
  const { build } = await import("esbuild")
  await build({
    absWorkingDir: root,
    entryPoints: ENTRIES.map((path) => join(root, "src", path)),
    outbase: join(root, "src"),
    outdir,
    // One level down, like the command line: `../main.js` is the service from either.
    chunkNames: "chunks/[name]-[hash]",
    bundle: true,
    splitting: true,
    platform: "node",
    format: "esm",
    target: "node20",
    sourcemap: true,
    sourcesContent: false,
    external: EXTERNAL,
    // Packages of the older module format ask for Node's own modules by `require`.
    banner: {
      js: 'import { createRequire as requireFrom } from "node:module"; const require = requireFrom(import.meta.url);'
    },
    logLevel: "warning"
  })
}
