import { createHash } from "node:crypto"
import { existsSync, readFileSync } from "node:fs"
import { Worker } from "node:worker_threads"

const isSource = import.meta.url.endsWith(".ts")
const NAME = isSource ? "analysis-thread.ts" : "analysis-thread.js"
/** Folders between this file, wherever a build puts it, and the one that `main` stands in. */
const MAX_LEVELS = 6

/** The thread's own file stands beside `main`. */
const findThreadFile = (): URL => {
  let place = new URL(NAME, import.meta.url)
  for (let level = 0; !existsSync(place) && level < MAX_LEVELS; level += 1)
    place = new URL(`../${NAME}`, place)
  return place
}

const IMPORT = /(?:\bfrom|\bimport)\s*\(?\s*["'](\.{1,2}\/[^"']+)["']/g

/** A file and everything of ours that it imports. */
const graphOf = (file: URL, seen = new Map<string, string>()): ReadonlyMap<string, string> => {
  if (seen.has(file.href) || !existsSync(file)) return seen
  const text = readFileSync(file, "utf8")
  seen.set(file.href, text)
  for (const [, path] of text.matchAll(IMPORT)) graphOf(new URL(path ?? "", file), seen)
  return seen
}

/**
 * Names the engine that runs here: SHA-256, hex, over the text of every module the thread is made of. Findings of another
 * engine are findings of other rules.
 */
export const engineVersion = (file: URL = findThreadFile()): string => {
  const hash = createHash("sha256")
  for (const text of [...graphOf(file).values()].toSorted()) hash.update(text).update("\0")
  return hash.digest("hex")
}

/** Three times what `memory.ts` lets analyses hold: V8 does not always survive this one. */
const LIMITS = { maxOldGenerationSizeMb: 512 }

/**
 * A new thread. The built one knows nothing of the environment, which holds keys; from source it needs the loader, and
 * what the loader reads.
 */
export const startThread = (file: URL = findThreadFile()): Worker =>
  new Worker(
    file,
    file.pathname.endsWith(".ts")
      ? { execArgv: ["--import", "tsx"], resourceLimits: LIMITS }
      : { execArgv: [], env: {}, resourceLimits: LIMITS }
  )
