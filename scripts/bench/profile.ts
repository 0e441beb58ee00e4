/**
 * Where the serving thread's time goes, by module, by function, and by file of ours with what it calls outside of ours.
 * Waiting inside a call counts: `run` is SQLite, most of it the disk. Take a profile with `BENCH_PROFILE_DIRECTORY=DIR npm run bench -- --case=ID` after `npm run build`, and then:
 * `npx tsx scripts/bench/profile.ts DIR [BUILD]`; the build's maps say which source a function of the bundle is from.
 */
import { existsSync, readdirSync, readFileSync } from "node:fs"
import { SourceMap } from "node:module"
import { basename, join } from "node:path"
import { fileURLToPath } from "node:url"
import { Schema } from "effect"

const Profile = Schema.parseJson(
  Schema.Struct({
    nodes: Schema.Array(
      Schema.Struct({
        id: Schema.Number,
        children: Schema.optionalWith(Schema.Array(Schema.Number), { default: () => [] }),
        callFrame: Schema.Struct({
          functionName: Schema.String,
          url: Schema.String,
          lineNumber: Schema.Number,
          columnNumber: Schema.Number
        })
      })
    ),
    samples: Schema.Array(Schema.Number),
    timeDeltas: Schema.Array(Schema.Number)
  })
)
type Frame = (typeof Profile.Type)["nodes"][number]["callFrame"]

const [, , directory = ".", build = "dist"] = process.argv

const maps = new Map<string, SourceMap | undefined>()
const mapOf = (url: string): SourceMap | undefined => {
  if (!maps.has(url)) {
    // V8 names compiled code after the directory it was built in, which is swapped afterwards.
    const path = url.startsWith("file:") ? join(build, `${basename(fileURLToPath(url))}.map`) : ""
    maps.set(url, existsSync(path) ? new SourceMap(JSON.parse(readFileSync(path, "utf8"))) : undefined)
  }
  return maps.get(url)
}

const sourceOf = ({ columnNumber, lineNumber, url }: Frame): string => {
  const entry = mapOf(url)?.findEntry(lineNumber, columnNumber)
  return entry !== undefined && "originalSource" in entry ? new URL(entry.originalSource, url).pathname : url
}

/** A package's name, a file of ours, or what V8 calls the rest. */
const moduleOf = (frame: Frame): string => {
  const source = sourceOf(frame)
  if (source === "") return frame.functionName
  if (source.startsWith("node:")) return "node"
  const inPackage = /.*node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(source)
  return inPackage?.[1] ?? source.replace(/^.*\/src\//, "src/")
}

const functionOf = (frame: Frame): string => `${frame.functionName || "(anonymous)"} · ${moduleOf(frame)}`

const top = (title: string, share: ReadonlyMap<string, number>, total: number, count: number): string =>
  [
    title,
    ...[...share]
      .toSorted(([, a], [, b]) => b - a)
      .slice(0, count)
      .map(([name, micros]) => `  ${((100 * micros) / total).toFixed(1).padStart(5)} %  ${name}`)
  ].join("\n")

const modules = new Map<string, number>()
const functions = new Map<string, number>()
const files = new Map<string, number>()
let total = 0

const add = (share: Map<string, number>, name: string, micros: number): void => {
  share.set(name, (share.get(name) ?? 0) + micros)
}

/** The file of ours that a sample's time belongs to: the innermost one on its stack. */
const fileOf = (
  id: number,
  frames: ReadonlyMap<number, Frame>,
  callers: ReadonlyMap<number, number>
): string => {
  for (let at: number | undefined = id; at !== undefined; at = callers.get(at)) {
    const frame = frames.get(at)
    const module = frame === undefined ? "" : moduleOf(frame)
    if (module.startsWith("src/")) return module
  }
  return "none of ours"
}
for (const name of readdirSync(directory).filter((file) => file.endsWith(".cpuprofile"))) {
  const profile = Schema.decodeUnknownSync(Profile)(readFileSync(join(directory, name), "utf8"))
  const frames = new Map(profile.nodes.map(({ callFrame, id }) => [id, callFrame]))
  const callers = new Map(profile.nodes.flatMap(({ children, id }) => children.map((child) => [child, id])))
  profile.samples.forEach((id, at) => {
    const frame = frames.get(id)
    const micros = profile.timeDeltas[at] ?? 0
    if (frame === undefined || frame.functionName === "(idle)") return
    total += micros
    add(modules, moduleOf(frame), micros)
    add(functions, functionOf(frame), micros)
    add(files, fileOf(id, frames, callers), micros)
  })
}
console.log(top("by module", modules, total, 40))
console.log(top("by function", functions, total, 60))
console.log(top("by file", files, total, 40))
