import type { RunnerTask } from "vitest"
import { VitestTestRunner } from "vitest/runners"

/** As it was before any test put a clock of its own in its place. */
const turn = setImmediate

/**
 * Vitest's own, but for two things. It tells of each test file how long each module took to load that its worker has ever
 * loaded: files that share modules send thousands of lines each, which nothing here reads, and which cost a second of CPU in
 * thirty. And tests that never wait leave the event loop no turn from the first of a file to the last, so that the worker
 * hears nothing for as long, and after a minute of that Vitest breaks off the whole run.
 */
export default class TestRunner extends VitestTestRunner {
  override getImportDurations(): Record<string, never> {
    return {}
  }

  override async onBeforeRunTask(test: RunnerTask): Promise<void> {
    await new Promise<void>((resolve) => turn(resolve))
    await super.onBeforeRunTask(test)
  }
}
