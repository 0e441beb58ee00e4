/** The real analysis thread, built as the service's is: from source its loader takes longer than a test may. */
import { build } from "esbuild"
import { join } from "node:path"
import { pathToFileURL } from "node:url"
import { Effect } from "effect"
import { startThread } from "../../../../src/screening/base/analysis/thread-file.ts"
import { scopedFolder } from "../../scoped-folder.ts"

const source = join(import.meta.dirname, "..", "..", "..", "..", "src", "analysis-thread.ts")

/** Starts threads from a build that goes with the scope. */
export const builtThread = Effect.gen(function* () {
  const directory = yield* scopedFolder
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
