/**
 * Loaded into every measured process before its own code (`node --import`): tells on a socket of its own what the process
 * has used. Asked from outside, the kernel counts in hundredths of a second; asked from inside, in microseconds.
 */
import { createServer } from "node:net"
import { join } from "node:path"

const directory = process.env["BENCH_USAGE_DIRECTORY"]
if (directory !== undefined) {
  const report = () => {
    const { system, user } = process.cpuUsage()
    return JSON.stringify({ cpuMicros: user + system, rssBytes: process.memoryUsage.rss() })
  }
  createServer((socket) => socket.on("error", () => {}).end(report()))
    .listen(join(directory, `${process.pid}.sock`))
    .unref()
}
