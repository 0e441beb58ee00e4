/**
 * The sources as modules that Node loads by itself. Vite's own way makes of every import an object whose properties are
 * asked at each use, which costs a sixth of the suite's CPU: in code that computes a quarter, beside what the rewriting takes.
 */
import { build, type Plugin as Step } from "esbuild"
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, writeFileSync } from "node:fs"
import { dirname, join, resolve, sep } from "node:path"
import { pathToFileURL } from "node:url"
import type { Plugin } from "vitest/config"

const root = join(import.meta.dirname, "..", "..")
const src = join(root, "src")
/** Within the project, so that packages are found. */
const place = join(root, "node_modules", ".cache", "token-risk", "sources")

const moduleName = (path: string): string => path.replace(/\.ts$/, ".mjs")

/** Each file stays a module, imports the others as they stand beside it, and believes to be where its source is. */
const oneByOne: Step = {
  name: "one-by-one",
  setup: ({ onLoad, onResolve }) => {
    onResolve({ filter: /./ }, ({ kind, path }) =>
      kind === "entry-point" || path.endsWith(".json")
        ? undefined
        : { path: moduleName(path), external: true }
    )
    onLoad({ filter: /\.ts$/ }, ({ path }) => ({
      contents: readFileSync(path, "utf8").replaceAll(
        "import.meta.url",
        JSON.stringify(pathToFileURL(path).href)
      ),
      loader: "ts"
    }))
  }
}

/** Writes a file in one move, where it says something else or is not there: another run may be reading it. */
const keep = (path: string, contents: Uint8Array): void => {
  if (existsSync(path) && readFileSync(path).equals(contents)) return
  mkdirSync(dirname(path), { recursive: true })
  const fresh = `${path}.${process.pid}`
  writeFileSync(fresh, contents)
  renameSync(fresh, path)
}

const writeModules = async (): Promise<void> => {
  const { outputFiles } = await build({
    absWorkingDir: root,
    entryPoints: readdirSync(src, { recursive: true, encoding: "utf8" })
      .filter((path) => path.endsWith(".ts"))
      .map((path) => join(src, path)),
    outbase: src,
    outdir: place,
    outExtension: { ".js": ".mjs" },
    bundle: true,
    platform: "node",
    format: "esm",
    target: "node20",
    // Vitest reads them where a stack is shown.
    sourcemap: true,
    sourcesContent: false,
    plugins: [oneByOne],
    logLevel: "warning",
    write: false
  })
  for (const { contents, path } of outputFiles) keep(path, contents)
  keep(join(place, "package.json"), Buffer.from('{ "type": "module" }\n'))
}

/** For one run: whoever watches, or asks which tests a file is related to, needs Vite to know who imports what. */
export const nativeSources = (): Plugin => ({
  name: "native-sources",
  enforce: "pre",
  apply: () => process.argv[2] === "run",
  buildStart: writeModules,
  resolveId: (path, importer) => {
    if (importer === undefined || !/^\.{1,2}\/.*\.ts$/.test(path)) return undefined
    const source = resolve(dirname(importer), path)
    if (!source.startsWith(src + sep) || !existsSync(source)) return undefined
    return moduleName(join(place, source.slice(src.length)))
  }
})
