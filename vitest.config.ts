import { defineConfig } from "vitest/config"

export default defineConfig({
  test: {
    include: ["test/**/*.test.ts"],
    testTimeout: 30_000,
    hookTimeout: 120_000,
    // Two cores: chains, a database and a service run beside the tests.
    maxWorkers: 2,
    minWorkers: 1
  }
})
