import { VitestTestRunner } from "vitest/runners"

/**
 * Vitest's own, which tells of each test file how long each module took to load that its worker has ever loaded: files
 * that share modules send thousands of lines each, which nothing here reads, and which cost a second of CPU in thirty.
 */
export default class TestRunner extends VitestTestRunner {
  override getImportDurations(): Record<string, never> {
    return {}
  }
}
