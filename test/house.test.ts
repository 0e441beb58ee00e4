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
    const others = ["test", "scripts", "packages"].flatMap((top) =>
      readdirSync(join(SRC, "..", top), { recursive: true, encoding: "utf8" })
        .filter((path) => /\.m?ts$/.test(path) && !path.includes("node_modules"))
        .map((path) => join(top, path))
    )
    const named = new Map<string, Array<string>>()
    for (const file of [...files.map((path) => join("src", path)), ...others])
      for (const [word] of readFileSync(join(SRC, "..", file), "utf8").matchAll(/[A-Za-z_]\w*/g)) {
        const namers = named.get(word) ?? []
        if (namers.at(-1) !== file) named.set(word, [...namers, file])
      }
    const exported = files
      .filter((file) => !["api", "client", "domain"].includes(roomOf(file)))
      .flatMap((file) =>
        [...readFileSync(join(SRC, file), "utf8").matchAll(/^export (?:const|function) (\w+)/gm)].map(
          ([, name = ""]) => ({ file, name })
        )
      )
    expect(exported.length).toBeGreaterThan(1_000)
    expect(exported.filter(({ name }) => (named.get(name) ?? []).length < 2)).toEqual([])
  })

  it("has every place that its page names", () => {
    const [, table = ""] = page.split("## Where to look")
    const named = [...table.matchAll(/`([\w./-]+)`/g)].map(([, path = ""]) => path)
    const paths = named.filter((path) => path.includes("/") && path.length > "evm/".length)
    expect(paths.length).toBeGreaterThan(15)
    expect(paths.filter((path) => !existsSync(join(SRC, path)))).toEqual([])
  })
})
