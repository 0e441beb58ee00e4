import { readFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"

const ROOT = join(import.meta.dirname, "..", "..", "..")
const IMPORT = /^import [^"]*"(\.[^"]+)";$/gm

/** The name by which the compiler knows a file: its path below the root, so that relative imports are found. */
export const sourceName = (path: string): string => relative(ROOT, path)

/** Solidity files and all that they import, directly or not: their texts by source name, the files given first. */
export const readSources = (paths: ReadonlyArray<string>): ReadonlyMap<string, string> => {
  const texts = new Map<string, string>()
  const queue = [...paths]
  for (const path of queue) {
    if (texts.has(sourceName(path))) continue
    const text = readFileSync(path, "utf8")
    texts.set(sourceName(path), text)
    for (const [, imported = ""] of text.matchAll(IMPORT)) queue.push(join(dirname(path), imported))
  }
  return texts
}
