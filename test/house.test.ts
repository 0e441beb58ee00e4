/** What `src/README.md` says of the house holds. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join, relative } from "node:path"
import { describe, expect, it } from "@effect/vitest"

const SRC = join(import.meta.dirname, "..", "src")
const page = readFileSync(join(SRC, "README.md"), "utf8")

const files = readdirSync(SRC, { recursive: true, encoding: "utf8" }).filter((path) => path.endsWith(".ts"))
const IMPORT = /(?:from|import\()\s*"(\.{1,2}\/[^"]+)"/g

/** Folder, or file at the top, of a path beneath `src`. */
const roomOf = (path: string): string => path.split("/")[0] ?? path

const imports = files.flatMap((file) =>
  [...readFileSync(join(SRC, file), "utf8").matchAll(IMPORT)].map(([, path = ""]) => ({
    file,
    from: roomOf(file),
    to: roomOf(relative(SRC, join(SRC, dirname(file), path)))
  }))
)

/** The table of floors: `| 6 | `main.ts`, `server/` | … |`. */
const floors = new Map(
  [...page.matchAll(/^\| (\d) \| ([^|]+) \|/gm)].flatMap(([, floor, rooms = ""]) =>
    [...rooms.matchAll(/`([^`/]+)\/?`/g)].map(([, room = ""]) => [room, Number(floor)] as const)
  )
)
// The thread's own file holds nothing but its start, and stands at the top because a thread is started by its file.
const AT_THE_TOP: ReadonlySet<string> = new Set(["analysis-thread.ts"])

interface Exported {
  readonly file: string
  readonly name: string
}
const exported = (kinds: RegExp): ReadonlyArray<Exported> =>
  files
    .filter((file) => !["api", "client", "domain"].includes(roomOf(file)))
    .flatMap((file) =>
      [...readFileSync(join(SRC, file), "utf8").matchAll(kinds)].map(([, name = ""]) => ({ file, name }))
    )
const values = exported(/^export (?:const|function|class) (\w+)/gm)
const types = exported(/^export (?:type|interface) (\w+)/gm)

/** How often each file names a word, comments aside. */
const named = new Map<string, Map<string, number>>()
for (const top of ["src", "test", "scripts", "packages"])
  for (const path of readdirSync(join(SRC, "..", top), { recursive: true, encoding: "utf8" })) {
    if (!/\.m?ts$/.test(path) || path.includes("node_modules")) continue
    const file = join(top, path)
    const code = readFileSync(join(SRC, "..", file), "utf8").replaceAll(/\/\*[^]*?\*\/|\/\/.*/g, "")
    for (const [word] of code.matchAll(/[A-Za-z_]\w*/g)) {
      const namers = named.get(word) ?? new Map<string, number>()
      named.set(word, namers.set(file, (namers.get(file) ?? 0) + 1))
    }
  }
const namersOf = (name: string) => [...(named.get(name) ?? [])]

describe("the house", () => {
  it("has a floor for every folder", () => {
    const rooms = new Set(files.map(roomOf))
    expect([...rooms].filter((room) => !floors.has(room) && !AT_THE_TOP.has(room))).toEqual([])
  })

  it("has no import that points up, nor one between two rooms that points both ways", () => {
    const between = imports.filter(({ from, to }) => from !== to && !AT_THE_TOP.has(from))
    expect(between.filter(({ from, to }) => (floors.get(to) ?? 9) > (floors.get(from) ?? -1))).toEqual([])
    const arrows = new Set(between.map(({ from, to }) => `${from} ${to}`))
    expect(between.filter(({ from, to }) => arrows.has(`${to} ${from}`))).toEqual([])
  })

  it("has a client that needs the contract and the vocabulary only, and a vocabulary that needs nothing", () => {
    const others = (room: string, ...allowed: ReadonlyArray<string>) =>
      imports.filter(({ from, to }) => from === room && ![room, ...allowed].includes(to))
    expect(others("client", "api", "domain")).toEqual([])
    expect(others("domain")).toEqual([])
  })

  it("has analysis threads that load no Effect, which would be three quarters of what they start with", () => {
    const loaded = new Set<string>()
    const foreign = new Set<string>()
    const load = (file: string): void => {
      if (loaded.has(file)) return
      loaded.add(file)
      const code = readFileSync(file, "utf8")
      for (const [, path = ""] of code.matchAll(/^(?:import (?!type )|export |\} )[^"']*from "([^"]+)"/gm)) {
        if (path.startsWith(".")) load(join(dirname(file), path))
        else foreign.add(path)
      }
    }
    load(join(SRC, "analysis-thread.ts"))
    expect(loaded.size).toBeGreaterThan(50)
    expect([...foreign].toSorted()).toEqual(["node:v8", "node:vm", "node:worker_threads", "viem"])
  })

  it("has no file of 300 lines or more, here, in the sources and in the scripts", () => {
    const long = ["src", "test", "scripts"].flatMap((top) =>
      readdirSync(join(SRC, "..", top), { recursive: true, encoding: "utf8" })
        .filter((path) => /\.m?ts$/.test(path))
        .map((path) => join(top, path))
        .filter((path) => readFileSync(join(SRC, "..", path), "utf8").split("\n").length > 300)
    )
    expect(long).toEqual([])
  })

  it("exports no value that nobody else names, but for the words of the contract", () => {
    expect(values.length).toBeGreaterThan(1_000)
    expect(values.filter(({ name }) => namersOf(name).length < 2)).toEqual([])
  })

  it("exports nothing that only tests name, but for the words of the contract and what the pages print", () => {
    const isUsed = ({ file, name }: Exported) =>
      namersOf(name).some(
        ([namer, times]) => !namer.startsWith("test/") && (namer !== join("src", file) || times > 1)
      )
    expect([...values, ...types].filter((one) => roomOf(one.file) !== "web" && !isUsed(one))).toEqual([])
  })

  it("has every place that its page names", () => {
    const [, table = ""] = page.split("## Where to look")
    const named = [...table.matchAll(/`([\w./-]+)`/g)].map(([, path = ""]) => path)
    const paths = named.filter((path) => path.includes("/") && path.length > "evm/".length)
    expect(paths.length).toBeGreaterThan(15)
    expect(paths.filter((path) => !existsSync(join(SRC, path)))).toEqual([])
  })
})
