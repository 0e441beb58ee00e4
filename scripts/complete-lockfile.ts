/**
 * Adds to package-lock.json what npm leaves out where a registry mirror lacks other platforms' binaries: an entry for
 * every optional dependency. Without them `npm ci` refuses the lock file. Run it after each change of dependencies:
 * `npm install --package-lock-only && tsx scripts/complete-lockfile.ts`.
 */
import { readFileSync, writeFileSync } from "node:fs"
import { Schema } from "effect"

const FILE = new URL("../package-lock.json", import.meta.url)

interface Entry {
  readonly optionalDependencies?: Readonly<Record<string, string>> | undefined
  readonly dev?: boolean | undefined
}

const Lock = Schema.Struct(
  {
    packages: Schema.Record({
      key: Schema.String,
      value: Schema.Struct(
        {
          dev: Schema.optional(Schema.Boolean),
          optionalDependencies: Schema.optional(Schema.Record({ key: Schema.String, value: Schema.String }))
        },
        { key: Schema.String, value: Schema.Unknown }
      )
    })
  },
  { key: Schema.String, value: Schema.Unknown }
)

const SYSTEMS = [
  "darwin",
  "win32",
  "linux",
  "freebsd",
  "openbsd",
  "netbsd",
  "android",
  "sunos",
  "aix",
  "openharmony"
]
const PROCESSORS = new Map([
  ["amd64", "x64"],
  ["gnueabihf", "arm"],
  ["musleabihf", "arm"],
  ["eabi", "arm"],
  ...["x64", "arm64", "ia32", "arm", "ppc64", "s390x", "riscv64", "loong64", "mips64el", "wasm32"].map(
    (name) => [name, name] as const
  )
])

const libcOf = (name: string): string | undefined => {
  if (name.includes("musl")) return "musl"
  return name.includes("gnu") ? "glibc" : undefined
}

/** What the name of a platform package says about where it belongs, in npm's words. */
const platformOf = (name: string) => {
  const parts = name.split(/[-/]/)
  const os = name === "fsevents" ? "darwin" : SYSTEMS.find((system) => parts.includes(system))
  const cpu = parts.map((part) => PROCESSORS.get(part)).find((found) => found !== undefined)
  const libc = os === "linux" ? libcOf(name) : undefined
  return {
    ...(cpu === undefined ? {} : { cpu: [cpu] }),
    ...(os === undefined ? {} : { os: [os] }),
    ...(libc === undefined ? {} : { libc: [libc] })
  }
}

/** Node's resolution: the package's own folder first, then every folder above it. */
const isLocked = (packages: Readonly<Record<string, unknown>>, from: string, name: string): boolean => {
  for (let path = from; ; path = path.slice(0, Math.max(0, path.lastIndexOf("/node_modules/")))) {
    if (`${path === "" ? "" : `${path}/`}node_modules/${name}` in packages) return true
    if (path === "") return false
  }
}

const missingFrom = (packages: Readonly<Record<string, Entry>>) =>
  Object.entries(packages).flatMap(([path, { dev, optionalDependencies = {} }]) =>
    Object.entries(optionalDependencies)
      .filter(([name]) => !isLocked(packages, path, name))
      .map(([name, range]) => {
        const version = range.replace(/^[^0-9]*/, "")
        return [
          `node_modules/${name}`,
          { version, ...(dev === true ? { dev } : {}), optional: true, ...platformOf(name) }
        ]
      })
  )

const lock = Schema.decodeUnknownSync(Schema.parseJson(Lock))(readFileSync(FILE, "utf8"))
const added: Record<string, unknown> = Object.fromEntries(missingFrom(lock.packages))
const packages = Object.entries({ ...lock.packages, ...added }).toSorted(([a], [b]) => (a < b ? -1 : 1))
writeFileSync(FILE, `${JSON.stringify({ ...lock, packages: Object.fromEntries(packages) }, null, 2)}\n`)
console.log(`${Object.keys(added).length} entries added`)
