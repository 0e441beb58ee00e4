import { Effect } from "effect"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** An empty folder that goes with its scope; of scripts too, which run without a test around them. */
export const scopedFolder = Effect.acquireRelease(
  Effect.sync(() => mkdtempSync(join(tmpdir(), "token-risk-test-"))),
  (folder) => Effect.sync(() => rmSync(folder, { recursive: true, force: true }))
)
