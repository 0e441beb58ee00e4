import { defineConfig } from "vitest/config"
import { nativeSources } from "./test/support/native-sources.ts"
import { slowestFirst } from "./test/support/slowest-first.ts"

/** `TEST_WORKERS` is for machines that have other things to do, or more cores. */
const WORKERS = Number(process.env["TEST_WORKERS"] ?? 3)

/** Files that start chains and processes, or wait for leases. */
const SLOW =
  /test\/(?:e2e|faults|sandbox|attacks|checkout\/chains)|local-chain|sale-model|sale\/faults|two-processes|hazards|stalls|backup/

export default defineConfig({
  plugins: [nativeSources()],
  test: {
    include: ["test/**/*.test.ts"],
    runner: "test/support/runner.ts",
    setupFiles: ["test/support/setup.ts"],
    // Loading the same modules again for each file would cost more than all the tests that need no chain.
    isolate: false,
    sequence: { sequencer: slowestFirst(SLOW, 4) },
    // Real processes on a shared machine: a start that takes a second alone can take twenty.
    testTimeout: 120_000,
    hookTimeout: 120_000,
    // On a shared CI machine real processes and chains may miss a moment once. A retried test is reported as such, and
    // locally nothing is retried, so that a flake is seen and mended.
    retry: process.env["CI"] === undefined ? 0 : 1,
    // One more than the cores of a small machine: the end-to-end suites mostly wait for chains and processes. Each loads all
    // modules for itself: four take a sixth more CPU and a twelfth longer, two leave cores idle.
    maxWorkers: WORKERS,
    // Tests make much that lives for a moment: a larger nursery saves a sixteenth of their CPU.
    poolOptions: { forks: { execArgv: ["--min-semi-space-size=64", "--max-semi-space-size=64"] } },
    // As many as at most: the pool breaks off the run when it ends a worker that shares modules and has nothing left to do.
    minWorkers: WORKERS
  }
})
