/** The real analysis thread, built as the service's is: from source its loader takes longer than a test may. */
import { build } from "esbuild"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { Effect } from "effect"
import { startThread } from "../../../../src/screening/base/analysis/thread-file.ts"

const source = join(import.meta.dirname, "..", "..", "..", "..", "src", "analysis-thread.ts")

/** Starts threads from a build that goes with the scope. */
export const builtThread = Effect.gen(function* () {
  const directory = yield* Effect.acquireRelease(
    Effect.sync(() => mkdtempSync(join(tmpdir(), "token-risk-thread-"))),
    (path) => Effect.sync(() => rmSync(path, { recursive: true, force: true }))
  )
  const outfile = join(directory, "analysis-thread.mjs")
  yield* Effect.promise(() =>
    build({
      entryPoints: [source],
      outfile,
      bundle: true,
      platform: "node",
      format: "esm",
      logLevel: "warning"
    })
  )
  return () => startThread(pathToFileURL(outfile))
})
