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
 * How much may be added to what the last full collection left before the next one begins, in per cent of it. V8 lets a
 * small heap grow to four times that: a burst of requests took 60 MB that were given back minutes later, if at all, and
 * were marked in one long pause. By a third it collects more often and as cheaply, because less is left each time.
 */
const HEAP_GROWTH_PERCENT = 30

/** Runs the program at a URL. Node reads source maps only of files it loads itself. */
export const start = (url) => {
  const file = fileURLToPath(url)
  const run = process.execArgv.includes("--enable-source-maps")
    ? () => createRequire(file)(file)
    : load(file).run
  // After the code is loaded: V8 refuses what was compiled with other flags.
  setFlagsFromString(`--heap-growing-percent=${HEAP_GROWTH_PERCENT}`)
  run()
}
