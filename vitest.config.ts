import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    testTimeout: 30_000,
    hookTimeout: 120_000,
    // One more than the cores of a small machine: the end-to-end suites mostly wait for chains and processes.
    maxWorkers: 3,
    minWorkers: 1
  }
})
