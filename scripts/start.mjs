/**
 * Runs a bundled program with the code V8 compiled when it was built, which stands beside it: compiling six megabytes
 * anew takes more than half of a start. Code that another V8 compiled is refused by V8 itself, and then compiled anew.
 */
import { existsSync, readFileSync } from "node:fs"
import { createRequire } from "node:module"
import { dirname } from "node:path"
import { fileURLToPath } from "node:url"
import { setFlagsFromString } from "node:v8"
import { constants, Script } from "node:vm"

/** Where the compiled code of a program stands. */
export const cacheOf = (file) => `${file}.cache`

/** A program as a script of V8, and what runs it. */
export const load = (file) => {
  // The bundle holds nothing but ASCII, and so is read fastest. A shell's first line may not stand within a function.
  const source = readFileSync(file, "latin1").replace(/^#!/, "//")
  const cachedData = existsSync(cacheOf(file)) ? readFileSync(cacheOf(file)) : undefined
  const script = new Script(`(function (exports, require, module, __filename, __dirname) {${source}\n})`, {
    filename: file,
    cachedData,
    importModuleDynamically: constants.USE_MAIN_CONTEXT_DEFAULT_LOADER
  })
  const run = () => {
    const module = { exports: {} }
    script.runInThisContext()(module.exports, createRequire(file), module, file, dirname(file))
  }
  return { script, run }
}

/**
 * What V8 is told about collecting. Set after the code is loaded: V8 refuses what was compiled with other flags.
 *
 * - By how much, in per cent, the heap may outgrow what the last full collection left before the next one begins. V8 lets
 *   a small heap grow to four times that: a burst of requests took 60 MB that were given back minutes later, if at all,
 *   and were marked in one long pause. At 60 a request costs no more CPU than at V8's own; at 30 it cost an eighth more.
 * - Nothing is made among the old objects from the start. V8 does so at places of the code whose objects lived long while
 *   the program started; those of requests die young, but stay there until the next full collection, with all they refer
 *   to. Of what a paid call allocates 12 per cent grew old, now 9; of a free one 12, now 6.
 * - The thread that serves collects alone. Where it shares the work it waits for its helpers, and on a machine whose
 *   processors others keep busy, as under an attack, a helper that is not let run held it up for 100 to 200 ms in
 *   collections that took 5 to 15 ms of CPU. Marking and sweeping between the pauses stay with the helpers.
 */
const COLLECTING = [
  "--heap-growing-percent=60",
  "--no-allocation-site-pretenuring",
  "--no-parallel-scavenge",
  "--no-parallel-compaction",
  "--no-parallel-pointer-update"
]

/** Runs the program at a URL. Node reads source maps only of files it loads itself. */
export const start = (url) => {
  const file = fileURLToPath(url)
  const run = process.execArgv.includes("--enable-source-maps")
    ? () => createRequire(file)(file)
    : load(file).run
  for (const flag of COLLECTING) setFlagsFromString(flag)
  run()
}
