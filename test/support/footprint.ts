/** What installing a package brings along. */
import { existsSync, readdirSync, readFileSync, statSync } from "node:fs"
import { dirname, join } from "node:path"

const dependenciesOf = (folder: string): ReadonlyArray<string> => {
  const manifest: { readonly dependencies?: Readonly<Record<string, string>> } = JSON.parse(
    readFileSync(join(folder, "package.json"), "utf8")
  )
  return Object.keys(manifest.dependencies ?? {})
}

/** Where Node would find a package that is imported from a folder. */
const resolve = (name: string, from: string): string => {
  const folder = join(from, "node_modules", name)
  if (existsSync(join(folder, "package.json"))) return folder
  if (dirname(from) === from) throw new Error(`${name} is not installed`)
  return resolve(name, dirname(from))
}

const collect = (name: string, from: string, found: Set<string>): Set<string> => {
  const folder = resolve(name, from)
  if (found.has(folder)) return found
  found.add(folder)
  for (const dependency of dependenciesOf(folder)) collect(dependency, folder, found)
  return found
}

/** Bytes a disk gives a file, which are more than it has. Source: stat(2). */
const BLOCK = 512

const bytesIn = (folder: string): number =>
  readdirSync(folder, { withFileTypes: true }).reduce((sum, entry) => {
    const path = join(folder, entry.name)
    // What is nested is a package of its own.
    if (entry.isDirectory()) return entry.name === "node_modules" ? sum : sum + bytesIn(path)
    return sum + statSync(path).blocks * BLOCK
  }, 0)

/** Packages and bytes of the named packages with all they need, as they are installed for a folder. */
export const footprint = (names: ReadonlyArray<string>, from: string) => {
  const found = new Set<string>()
  for (const name of names) collect(name, from, found)
  return { packages: found.size, bytes: [...found].reduce((sum, folder) => sum + bytesIn(folder), 0) }
}
