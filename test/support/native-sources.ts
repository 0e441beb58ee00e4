/**
 * The sources, and what tests share, as modules that Node loads by itself. Vite makes of every import an object
 * whose properties are asked at each use, which costs a sixth of the suite's CPU: in code that computes a quarter, beside what
 * the rewriting takes.
 */
import { build, type Plugin as Step } from "esbuild"
import { existsSync, mkdirSync, readFileSync, readdirSync, renameSync, writeFileSync } from "node:fs"
import { dirname, join, relative, resolve } from "node:path"
import { pathToFileURL } from "node:url"
import type { Plugin } from "vitest/config"

const root = join(import.meta.dirname, "..", "..")
/** Within the project, so that packages are found. */
const place = join(root, "node_modules", ".cache", "token-risk", "sources")

/** Everything but the tests themselves, which Vitest loads anew for each run and whose lines it shows. */
const isShared = (path: string): boolean =>
  /^(?:src|scripts|test)\/.*\.ts$/.test(path) && !/\.(?:test|long|d)\.ts$/.test(path)

const sharedSources = (): ReadonlyArray<string> =>
  ["src", "scripts", "test"].flatMap((folder) =>
    readdirSync(join(root, folder), { recursive: true, encoding: "utf8" })
      .map((path) => `${folder}/${path}`)
      .filter(isShared)
  )

const moduleName = (path: string): string => path.replace(/\.ts$/, ".mjs")

/** The source with what it asks about its own place answered: by where the source is, not the module. */
const placed = (path: string): string => {
  const own = { url: pathToFileURL(path).href, dirname: dirname(path), filename: path }
  return readFileSync(path, "utf8").replaceAll(
    /import\.meta\.(url|dirname|filename)\b/g,
    (_, asked: keyof typeof own) => JSON.stringify(own[asked])
  )
}

/** Each file stays a module, imports the others as they stand beside it, and believes to be where its source is. */
const oneByOne: Step = {
  name: "one-by-one",
  setup: ({ onLoad, onResolve }) => {
    onResolve({ filter: /./ }, ({ kind, path, resolveDir }) => {
      const source = path.startsWith(".") ? resolve(resolveDir, path) : undefined
      // What is not there any more is an error, though its module may still lie beside the others.
      const isGone = source !== undefined && !existsSync(source)
      if (kind === "entry-point" || path.endsWith(".json") || isGone) return undefined
      // A module that is no TypeScript stays where it is.
      const isPlain = source !== undefined && !path.endsWith(".ts")
      return { path: isPlain ? source : moduleName(path), external: true }
    })
    onLoad({ filter: /\.ts$/ }, ({ path }) => ({ contents: placed(path), loader: "ts" }))
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
    entryPoints: sharedSources().map((path) => join(root, path)),
    outbase: root,
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
    const own = relative(root, source)
    return isShared(own) && existsSync(source) ? moduleName(join(place, own)) : undefined
  }
})
