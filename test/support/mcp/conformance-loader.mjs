// The conformance runner imports `fs.globSync`, which Node 20 does not have; it never calls it for a server run.
import { register } from "node:module"

const fs = `data:text/javascript,${encodeURIComponent(
  'import fs from "node:fs"; export * from "node:fs"; export default fs; export const globSync = fs.globSync ?? (() => [])'
)}`
const hooks = `export const resolve = (specifier, context, next) =>
  specifier === "fs" && context.parentURL?.includes("@modelcontextprotocol/conformance/")
    ? { url: ${JSON.stringify(fs)}, shortCircuit: true }
    : next(specifier, context)`
register(`data:text/javascript,${encodeURIComponent(hooks)}`)
