import { defineConfig } from "vitest/config"
import { slowestFirst } from "./test/support/slowest-first.ts"

/** Suites that install packages, start a browser or compile: `npm run test:clients`. Everything else is in `npm test`. */
export default defineConfig({
  test: {
    include: ["test/**/*.long.ts"],
    testTimeout: 300_000,
    hookTimeout: 300_000,
    // As in `npm test`: reported where CI did it, never done locally.
    retry: process.env["CI"] === undefined ? 0 : 1,
    // It runs every quick start and takes as long as four others.
    sequence: { sequencer: slowestFirst(/quickstart/) },
    globalSetup: ["test/support/runtimes.ts"],
    // They mostly wait: for compilers, browsers and chains.
    maxWorkers: 2,
    minWorkers: 2
  }
})
