/**
 * The programs as one file each: loading two thousand modules takes two seconds of every start, and half the memory of a
 * service that has just begun. Beside each stands its code as V8 has compiled it, which halves what is left of both. Not
 * minified, so that a stack names its functions; maps lie beside the files, for `node --enable-source-maps`, which costs
 * 100 MB and is therefore not the default.
 */
import { spawnSync } from "node:child_process"
import { createHash } from "node:crypto"
import { copyFileSync, existsSync, readdirSync, readFileSync, writeFileSync } from "node:fs"
import { basename, dirname, join, relative } from "node:path"
import { fileURLToPath, pathToFileURL } from "node:url"
import { spreadsBehindNull } from "./literals.mjs"
import { cacheOf } from "./start.mjs"

export const root = dirname(dirname(fileURLToPath(import.meta.url)))

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

/** What makes a build, beside the sources. */
const SCRIPTS = ["bundle.mjs", "code-cache.mjs", "literals.mjs", "start.mjs"].map((name) => `scripts/${name}`)

/** SHA-256 of everything a build is made of but the installed packages, in hexadecimal. */
export const fingerprint = () => {
  const hash = createHash("sha256")
  const settings = ["package.json", "tsconfig.json", "tsconfig.build.json", ...SCRIPTS]
  for (const path of [...filesIn("src"), ...settings.map((name) => join(root, name))].toSorted())
    hash.update(path.slice(root.length)).update("\0").update(readFileSync(path)).update("\0")
  return hash.digest("hex")
}

/** The library's page of `/docs/api`: two megabytes of script and style that a process needs when somebody asks for it. */
const PAGE_MODULE = join(root, "node_modules/@effect/platform/dist/esm/internal/httpApiSwagger.js")
const PAGE = "api-page.json"

/**
 * Leaves the page in a file beside the programs instead of in every process's source. It is read where the page is made:
 * the library's index loads the module at every start.
 */
const pageBeside = {
  name: "page-beside",
  setup: ({ onLoad }) =>
    onLoad({ filter: /[/\\]internal[/\\]httpApiSwagger\.js$/ }, () => ({
      contents: `import { existsSync, readFileSync } from "node:fs"
const file = ["./", "../"].map((place) => new URL(place + "${PAGE}", import.meta.url)).find((url) => existsSync(url))
const part = (name) => ({ toString: () => JSON.parse(readFileSync(file, "utf8"))[name] })
export const [css, javascript] = ["css", "javascript"].map(part)`
    }))
}

const writePage = async (outdir) => {
  const { css, javascript } = await import(pathToFileURL(PAGE_MODULE).href)
  writeFileSync(join(outdir, PAGE), JSON.stringify({ css, javascript }))
}

/**
 * Of the HTTP client what is used: its index loads a second `fetch`, WebSockets, caches and mocks at every start. A name
 * that is not here is no name of the module, and the build says so.
 */
const pooledUndici = {
  name: "pooled-undici",
  setup: ({ onLoad }) =>
    onLoad({ filter: /[/\\]undici[/\\]index\.js$/ }, () => ({
      contents: `import Dispatcher from "./lib/dispatcher/dispatcher.js"
import api from "./lib/api/index.js"
import Agent from "./lib/dispatcher/agent.js"
import { getGlobalDispatcher } from "./lib/global.js"
Object.assign(Dispatcher.prototype, api)
export { Agent, Dispatcher, getGlobalDispatcher }
export default undefined`
    }))
}

/** What is said to every build. Of `names`, beneath `src`, each becomes a file of the same place beneath the output. */
const options = (outdir, maps, names) => ({
  absWorkingDir: root,
  entryPoints: names.map((name) => join(root, "src", `${name}.ts`)),
  outbase: join(root, "src"),
  outdir,
  bundle: true,
  platform: "node",
  format: "esm",
  // A package that ships modules gives what is used of it; its one file for everybody holds all.
  mainFields: ["module", "main"],
  target: "node20",
  sourcemap: maps,
  sourcesContent: false,
  // A process holds its source for as long as it runs. Names stay, and lines short enough to find a place in.
  minifyWhitespace: true,
  lineLimit: 160,
  legalComments: "external",
  plugins: [pageBeside, pooledUndici, spreadsBehindNull],
  external: EXTERNAL,
  logLevel: "warning"
})

/** Each as one script, which is what V8 can keep compiled. */
const scripts = (...of) => ({
  ...options(...of),
  format: "cjs",
  outExtension: { ".js": ".cjs" },
  define: { "import.meta.url": "bundleUrl" },
  banner: { js: 'const bundleUrl = require("node:url").pathToFileURL(__filename).href;' }
})

/**
 * A script of this repository, from its root, built and started as the programs are, but compiled at every start: what a
 * bench measures beside them. The module that starts it.
 */
export const bundleScript = async (entry, outdir) => {
  const { build } = await import("esbuild")
  const place = join(root, entry)
  await build({ ...scripts(outdir, false, []), entryPoints: [place], outbase: dirname(place) })
  const script = join(outdir, basename(place).replace(/\.ts$/, ".cjs"))
  spellOut(script)
  const module = script.replace(/\.cjs$/, ".mjs")
  writeFileSync(module, startingModule(pathToFileURL(join(root, "scripts/start.mjs")).href, script))
  return module
}

/** A character as code spells it in a string, a template or a pattern. */
const spelled = (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`

/**
 * Leaves nothing but ASCII in a program, which is read as that. esbuild spells strings so, but not what stands in patterns
 * and in templates with a tag: tags that look at the text as it was written get its spelling.
 */
const spellOut = (script) =>
  writeFileSync(script, readFileSync(script, "utf8").replace(/[\u0080-\uffff]/g, spelled))

/** A module that starts the script beside it by the starter at this place. */
const startingModule = (starter, script) =>
  `import { start } from "${starter}"\nstart(new URL("${basename(script)}", import.meta.url))\n`

/** The module by which Node and the shell start a script, and the script's code as V8 compiles it for this call. */
const makeStartable = (outdir, name, warmUp) => {
  const script = join(outdir, `${name}.cjs`)
  spellOut(script)
  const toRoot = relative(dirname(script), outdir) || "."
  writeFileSync(
    join(outdir, `${name}.js`),
    `#!/usr/bin/env node\n${startingModule(`${toRoot}/start.js`, script)}`
  )
  spawnSync(process.execPath, [join(root, "scripts/code-cache.mjs"), script, warmUp], { stdio: "ignore" })
  if (!existsSync(cacheOf(script))) throw new Error(`${name} does not start`)
}

/** The programs, each with a call that loads all of it and ends at once. */
const PROGRAMS = { main: "--check-config", "cli/main": "--help" }

/** Writes the programs into a directory, which is made; a third faster without maps. Rejects, after printing why, when a source is wrong. */
export const bundle = async (outdir, { maps } = { maps: true }) => {
  const { build } = await import("esbuild")
  await build(scripts(outdir, maps, Object.keys(PROGRAMS)))
  await build({
    ...options(outdir, maps, ["client/index"]),
    splitting: true,
    chunkNames: "chunks/[name]-[hash]"
  })
  // Alone, so that a thread does not load what it shares with the service, and starts in a third of the time.
  await build(options(outdir, maps, ["analysis-thread"]))
  await writePage(outdir)
  copyFileSync(join(root, "scripts/start.mjs"), join(outdir, "start.js"))
  for (const [name, warmUp] of Object.entries(PROGRAMS)) makeStartable(outdir, name, warmUp)
}
