/**
 * Runs before each test file. The files of a worker share their modules, and `layer` of `@effect/vitest` puts its own
 * `effect` and `scoped` on the one `it` of all: without this, the next file's tests would run in the last file's layer.
 */
import { effect, flakyTest, it, layer, prop, scoped } from "@effect/vitest"
import { hastenTestClock } from "./test-clock.ts"

Object.assign(it, { effect, flakyTest, layer, prop, scoped })
hastenTestClock()
