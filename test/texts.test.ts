/** What the texts say of the project: read here beside the project, so that they stay true. */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"
import { isDeepStrictEqual } from "node:util"
import { describe, expect, it } from "@effect/vitest"
import {
  ConfigError,
  ConfigProvider,
  ConfigProviderPathPatch,
  Duration,
  Effect,
  HashSet,
  Option
} from "effect"
import { METHODOLOGY } from "../src/screening/risk-scorer-live.ts"
import { baseSignals } from "../src/screening/base/signals/table.ts"
import { serviceConfig } from "../src/server/config.ts"

const ROOT = fileURLToPath(new URL("..", import.meta.url))
const textOf = (path: string) => readFileSync(join(ROOT, path), "utf8")
const FOLDERS = ["deploy", "packages", "scripts", "src", "test"]
/** The checkout may be without git: the folders are walked. */
const filesIn = (folder: string) =>
  readdirSync(join(ROOT, folder), { recursive: true, encoding: "utf8" }).map((name) => join(folder, name))
const TEXTS = ["README.md"].concat(
  FOLDERS.flatMap(filesIn).filter((path) => path.endsWith(".md") && !path.includes("node_modules"))
)

const namesIn = (text: string) => [...text.matchAll(/`([A-Z][A-Z0-9_]+)`/g)].map(([, name = ""]) => name)

/** What has no default. */
const REQUIRED = [
  ["BASE_PAY_TO", "0xe059f8f9F3bBfFC6385d07EF1D88beeC19DDF00d"],
  ["SOLANA_PAY_TO", "9hBtedmwk3FAmsvWvdTQQ7ejbM1R7gatBMQZhHTSYMiS"],
  ["FACILITATOR_URL", "https://facilitator.example"]
] as const

/** Every variable the service asks for, whatever is set: a provider that has nothing and remembers the question. */
const variablesOfService = Effect.gen(function* () {
  const asked = new Set<string>()
  const provider = ConfigProvider.fromFlat(
    ConfigProvider.makeFlat({
      load: (path) => {
        asked.add(path.join("_"))
        return Effect.fail(ConfigError.MissingData([...path], "unset"))
      },
      enumerateChildren: () => Effect.succeed(HashSet.empty()),
      patch: ConfigProviderPathPatch.empty
    })
  )
  yield* serviceConfig.pipe(Effect.withConfigProvider(provider), Effect.either)
  return asked
})

/** What is between the first two bars of a table's rows, and between the next two. */
const configuration = textOf("deploy/CONFIGURATION.md")
const configurationRows = configuration
  .split("\n")
  .filter((line) => line.startsWith("| `"))
  .map((line) => {
    const [, names = "", values = ""] = line.split("|")
    return {
      names: namesIn(names),
      values: [...values.matchAll(/`([^`]+)`/g)].map(([, value = ""]) => value)
    }
  })

/** Each variable with the default its row gives, where that is a value of its own. */
const defaults = configurationRows
  .filter(({ names, values }) => names.length === values.length)
  .flatMap(({ names, values }) => names.map((name, at) => [name, values[at] ?? ""] as const))
  .filter(([name]) => name !== "PUBLIC_URL")

/** A time is the same however it is written. */
const alike = (value: unknown): unknown => {
  if (Duration.isDuration(value) || typeof value === "string")
    return Option.match(Duration.decodeUnknown(value), { onNone: () => value, onSome: Duration.toMillis })
  if (Array.isArray(value)) return value.map(alike)
  if (Object.getPrototypeOf(Object(value)) !== Object.prototype) return value
  return Object.fromEntries(Object.entries(Object(value)).map(([name, part]) => [name, alike(part)]))
}

const configured = (settings: ReadonlyArray<readonly [string, string]>) =>
  Effect.map(serviceConfig, alike).pipe(
    Effect.withConfigProvider(ConfigProvider.fromMap(new Map([...REQUIRED, ...settings])))
  )

describe("the configuration page", () => {
  it.effect("gives each variable the default it has", () =>
    Effect.gen(function* () {
      expect(defaults.length).toBeGreaterThan(40)
      const unset = yield* configured([])
      for (const [name, value] of defaults)
        expect([name, yield* configured([[name, value]])]).toStrictEqual([name, unset])
    })
  )

  it.effect("names every variable that is not taken for unset when it is empty", () =>
    Effect.gen(function* () {
      const unset = yield* configured([])
      const required = new Set<string>(REQUIRED.map(([name]) => name))
      const names = configurationRows.flatMap(({ names }) => names).filter((name) => !required.has(name))
      const differ = yield* Effect.filter(names, (name) =>
        configured([[name, ""]]).pipe(
          Effect.map((empty) => !isDeepStrictEqual(empty, unset)),
          Effect.orElseSucceed(() => true)
        )
      )
      const [, rule = ""] = /An empty variable counts as not set([^]*?)\n\n/.exec(configuration) ?? []
      expect(differ.toSorted()).toEqual(namesIn(rule).toSorted())
    })
  )

  it.effect("has a row for every variable the service reads, and for no other", () =>
    Effect.gen(function* () {
      const rows = configurationRows.flatMap(({ names }) => names)
      expect(rows.toSorted()).toEqual([...(yield* variablesOfService)].toSorted())
    })
  )
})

describe("the README", () => {
  it("fits a screen or two, shows a picture, a challenge and a report", () => {
    const readme = textOf("README.md")
    expect(readme.split("\n").length).toBeLessThan(120)
    expect(readme).toMatch(/!\[[^\]]+\]\(\S+\.svg\)/)
    const examples = [...readme.matchAll(/```json\n([\s\S]*?)```/g)].map(([, json = ""]): unknown =>
      JSON.parse(json)
    )
    expect(examples).toEqual([
      expect.objectContaining({ x402Version: 2, accepts: expect.any(Array) }),
      expect.objectContaining({ verdict: "avoid", attestation: expect.any(Object) })
    ])
  })

  it.effect("has the prices, the number of signals and the methodology of this version", () =>
    Effect.gen(function* () {
      const readme = textOf("README.md")
      const { freeTier, prices } = yield* serviceConfig.pipe(
        Effect.withConfigProvider(ConfigProvider.fromMap(new Map(REQUIRED)))
      )
      expect(readme).toContain(`/ping\` | ${prices.ping.usd} USD |`)
      expect(readme).toContain(`/deep\` | ${prices.deep.usd} USD, ${freeTier.calls} a day free`)
      expect(readme).toContain(`one of its ${baseSignals.length} signals`)
      expect(readme).toContain(`"methodology": "${METHODOLOGY}"`)
    })
  )

  it("names only commands that exist", () => {
    const { scripts }: { scripts: Readonly<Record<string, string>> } = JSON.parse(textOf("package.json"))
    const commands = TEXTS.flatMap((path) => [
      ...textOf(path).matchAll(/npm (?:run )?(test|start|[a-z]+:?[a-z]*)/g)
    ])
      .filter(([text]) => /^npm (?:run|test|start)/.test(text))
      .map(([, name = ""]) => name)
    expect(commands.filter((name) => scripts[name] === undefined)).toEqual([])
  })
})

describe("every text", () => {
  it("links to files that exist", () => {
    const broken = TEXTS.flatMap((path) =>
      [...textOf(path).matchAll(/\]\((?!https?:|#|mailto:)([^)#\s]+)/g)]
        .map(([, target = ""]) => join(dirname(path), target))
        .filter((target) => !existsSync(join(ROOT, target)))
        .map((target) => `${path}: ${target}`)
    )
    expect(broken).toEqual([])
  })

  it("names tests that exist", () => {
    const named = TEXTS.flatMap((path) => textOf(path).match(/\btest\/[\w/.-]+\.(?:test|long)\.ts\b/g) ?? [])
    expect(named.filter((path) => !existsSync(join(ROOT, path)))).toEqual([])
  })

  it("and every comment names sources that exist", () => {
    const sources = FOLDERS.flatMap((folder) =>
      filesIn(folder).filter((path) => path.endsWith(".ts") && !path.includes("node_modules"))
    )
    const missing = [...TEXTS, ...sources].flatMap((path) =>
      [...textOf(path).matchAll(/`(?:\.{1,2}\/)*([a-z\d][a-z\d./-]*(?<!\.d)\.ts)`/g)]
        .map(([, name = ""]) => name)
        .filter((name) => !sources.some((source) => `/${source}`.endsWith(`/${name}`)))
        .map((name) => `${path}: ${name}`)
    )
    expect(missing).toEqual([])
  })

  it("quotes tests by the beginning of their names", () => {
    const readme = textOf("src/checkout/README.md")
    const missing = [...readme.matchAll(/`([\w./-]+\.(?:test|long)\.ts)`((?:,? "[^"|]+")*)/g)].flatMap(
      ([, file = "", quoted = ""]) => {
        const path = file.startsWith("test/") ? file : join("test/checkout", file)
        if (!existsSync(join(ROOT, path))) return [path]
        const source = textOf(path)
        return [...quoted.matchAll(/"([^"]+)"/g)]
          .map(([, name = ""]) => name.replace(/…$/, ""))
          .filter((name) => !source.includes(`"${name}`))
          .map((name) => `${path}: ${name}`)
      }
    )
    expect(missing).toEqual([])
  })
})
