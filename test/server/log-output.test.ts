import { afterAll, beforeAll, describe, expect, it } from "@effect/vitest"
import { Effect, Exit, Schema, Scope } from "effect"
import { spawn, spawnSync } from "node:child_process"
import { closeSync, openSync, readFileSync } from "node:fs"
import { join } from "node:path"
import { text } from "node:stream/consumers"
import { LONGEST_WAIT, openLogOutput } from "../../src/server/log-output.ts"
import { bundleScript } from "../support/bundled-script.ts"
import { newFolder } from "../support/folder.ts"

/** A target that keeps what it is given, and takes it, or loses it, when it is told to. */
const makeTarget = () => {
  const given: Array<string> = []
  let ends: (isTaken: boolean) => void = () => {}
  return {
    given,
    takeIt: () => ends(true),
    loseIt: () => ends(false),
    target: {
      write: (lines: string, done: (isTaken: boolean) => void) => {
        given.push(lines)
        ends = done
      },
      writeNow: (lines: string) => {
        given.push(lines)
      }
    }
  }
}

const decode = Schema.decodeUnknownSync(
  Schema.parseJson(
    Schema.Struct({
      message: Schema.String,
      logLevel: Schema.String,
      annotations: Schema.Record({ key: Schema.String, value: Schema.Number })
    })
  )
)

const turn = Effect.promise(() => new Promise(setImmediate))

describe("log lines", () => {
  it.scoped("of one turn are written together, and those that come meanwhile after them", () =>
    Effect.gen(function* () {
      const { given, takeIt, target } = makeTarget()
      const { write } = yield* openLogOutput(target)
      write("a")
      write("b")
      expect(given).toEqual([])
      yield* turn
      write("c")
      yield* turn
      write("d")
      expect(given).toEqual(["a\nb\n"])
      takeIt()
      expect(given).toEqual(["a\nb\n", "c\nd\n"])
      takeIt()
    })
  )

  it.scoped("that nobody takes are lost beyond a bound, and counted until there is room to say so", () =>
    Effect.gen(function* () {
      const { given, takeIt, target } = makeTarget()
      const { takeLost, write } = yield* openLogOutput(target)
      write("stuck")
      yield* turn
      const line = "x".repeat(1_048_576)
      for (let count = 0; count < 7; count++) write(line)
      expect(takeLost()).toBe(0)
      takeIt()
      expect(given.map((lines) => lines.length)).toEqual([6, LONGEST_WAIT + 4])
      expect([takeLost(), takeLost()]).toEqual([3, 0])
      takeIt()
    })
  )

  it.scoped("that could not be written are counted as lost", () =>
    Effect.gen(function* () {
      const { loseIt, takeIt, target } = makeTarget()
      const { takeLost, write } = yield* openLogOutput(target)
      write("a")
      write("b")
      yield* turn
      write("c")
      loseIt()
      takeIt()
      expect([takeLost(), takeLost()]).toEqual([2, 0])
    })
  )

  it.live("are all taken before their output is closed", () =>
    Effect.gen(function* () {
      const { given, takeIt, target } = makeTarget()
      const scope = yield* Scope.make()
      const { write } = yield* openLogOutput(target).pipe(Scope.extend(scope))
      write("first")
      const closed = yield* Effect.fork(Scope.close(scope, Exit.void))
      yield* turn
      write("last")
      takeIt()
      expect(given).toEqual(["first\n", "last\n"])
      takeIt()
      yield* closed
    })
  )
})

describe("a process", () => {
  let script: Awaited<ReturnType<typeof bundleScript>>
  beforeAll(async () => {
    script = await bundleScript("test/support/server/log-writer.ts")
  })
  afterAll(() => script.remove())

  it("whose log nobody reads goes on, and says how many lines it lost when somebody does", async () => {
    const child = spawn(process.execPath, [script.program, "4000"], { stdio: ["ignore", "pipe", "pipe"] })
    await new Promise((resolve) => child.stderr.once("data", resolve))
    const entries = (await text(child.stdout))
      .trimEnd()
      .split("\n")
      .map((line) => decode(line))
    const told = entries.filter(({ logLevel }) => logLevel === "WARN")
    expect(told).toMatchObject([{ message: expect.stringContaining("lost") }])
    const lost = told[0]?.annotations["lines"] ?? 0
    expect(lost).toBeGreaterThan(1_000)
    expect(entries.length - told.length + lost).toBe(4_001)
  })

  it.each([1, 1_000])("that logs %i lines to a file and ends has written them all", async (count) => {
    const path = join(newFolder(), "log")
    const file = openSync(path, "a")
    const child = spawn(process.execPath, [script.program, String(count)], {
      stdio: ["ignore", file, "ignore"]
    })
    closeSync(file)
    await new Promise((resolve) => child.once("close", resolve))
    const entries = readFileSync(path, "utf8")
      .trimEnd()
      .split("\n")
      .map((line) => decode(line))
    expect(entries.length).toBe(count + 1)
    expect(entries.at(-1)).toMatchObject({ message: "the last line", logLevel: "INFO" })
  })

  it.each(["at leisure", "abruptly"])("whose log has no room left ends %s as it would have", (how) => {
    const full = openSync("/dev/full", "a")
    const { status, stderr } = spawnSync(process.execPath, [script.program, "10", how], {
      stdio: ["ignore", full, "pipe"],
      encoding: "utf8"
    })
    closeSync(full)
    expect(stderr).toBe("went on\n")
    expect(status).toBe(0)
  })
})
