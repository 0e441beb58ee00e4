/**
 * `node code-cache.mjs PROGRAM ...ARGUMENTS`: runs a bundled program and keeps beside it what V8 has compiled by its end.
 */
import { writeFileSync } from "node:fs"
import { cacheOf, load } from "./start.mjs"

const [node, , file, ...args] = process.argv
process.argv = [node, file, ...args]
const { run, script } = load(file)
process.on("exit", () => writeFileSync(cacheOf(file), script.createCachedData()))
run()
