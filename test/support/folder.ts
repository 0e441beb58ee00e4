/** Folders that tests write into. */
import { onTestFinished } from "@effect/vitest"
import { mkdtempSync, rmSync } from "node:fs"
import { tmpdir } from "node:os"
import { join } from "node:path"

/** An empty folder of the test that runs, gone when it has ended, however it ends. */
export const newFolder = (): string => {
  const folder = mkdtempSync(join(tmpdir(), "token-risk-test-"))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}
