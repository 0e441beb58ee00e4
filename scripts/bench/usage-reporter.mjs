/**
 * Loaded into every measured process before its own code (`node --import`): tells on a socket of its own what the process
 * has used. Asked from outside, the kernel counts in hundredths of a second; asked from inside, in microseconds.
 * With `BENCH_PROFILE_DIRECTORY` it also takes a CPU profile, from the first question on: loading the program is not in it.
 * `BENCH_PROFILE_AFTER` skips so many questions, and with them what the compiler has not seen often enough.
 */
import { writeFileSync } from "node:fs"
import { Session } from "node:inspector"
import { createServer } from "node:net"
import { join } from "node:path"

const directory = process.env["BENCH_USAGE_DIRECTORY"]
const profiles = process.env["BENCH_PROFILE_DIRECTORY"]

let left = Number(process.env["BENCH_PROFILE_AFTER"] ?? 0)
const profile = () => {
  if (profiles === undefined || left-- !== 0) return
  const session = new Session()
  session.connect()
  session.post("Profiler.enable")
  session.post("Profiler.setSamplingInterval", { interval: 250 })
  session.post("Profiler.start")
  process.once("exit", () =>
    session.post("Profiler.stop", (_error, { profile: taken }) =>
      writeFileSync(join(profiles, `${process.pid}.cpuprofile`), JSON.stringify(taken))
    )
  )
}

if (directory !== undefined) {
  const report = () => {
    profile()
    const { system, user } = process.cpuUsage()
    return JSON.stringify({ cpuMicros: user + system, rssBytes: process.memoryUsage.rss() })
  }
  createServer((socket) => socket.on("error", () => {}).end(report()))
    .listen(join(directory, `${process.pid}.sock`))
    .unref()
}
