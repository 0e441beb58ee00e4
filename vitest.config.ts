import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    setupFiles: ["test/support/setup.ts"],
    // Loading the same modules again for each file would cost more than all the tests that need no chain.
    isolate: false,
    testTimeout: 30_000,
    hookTimeout: 120_000,
    // On a shared CI machine real processes and chains may miss a moment once. A retried test is reported as such, and
    // locally nothing is retried, so that a flake is seen and mended.
    retry: process.env["CI"] === undefined ? 0 : 1,
    // One more than the cores of a small machine: the end-to-end suites mostly wait for chains and processes.
    maxWorkers: 3,
    minWorkers: 1
  }
})
