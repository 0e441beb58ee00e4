import { mkdirSync, writeFileSync } from "node:fs"
import { basename, join, resolve } from "node:path"
import { parseArgs } from "node:util"
import { Effect } from "effect"
import { runBytecodeTrack, summarise } from "./bytecode-track.ts"
import { summariseChain } from "./chain-summary.ts"
import { runChainTrack } from "./chain-track.ts"
import { readDataset } from "./dataset.ts"
import { reportHtml } from "./html.ts"
import { requireRegistry } from "./registry-check.ts"
import { bytecodeText, chainText } from "./text.ts"

const USAGE = "npm run eval -- DIR [--rpc URL] [--out DIR]"

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { rpc: { type: "string" }, out: { type: "string", default: join("data", "eval") } }
})

const [dir] = positionals
if (dir === undefined) {
  console.error(`Which data? ${USAGE}`)
  process.exit(2)
}

const samples = readDataset(dir)
if (samples.length === 0) {
  console.error(`${dir} holds neither tokens.json nor large-sample/labels.json. ${USAGE}`)
  process.exit(2)
}

if (values.rpc !== undefined) {
  const { present, rows } = await Effect.runPromise(requireRegistry(values.rpc))
  console.log(`registry: ${present} of ${rows} contracts stand on this chain and are what their rows say\n`)
}

const bytecodeRows = runBytecodeTrack(samples)
const bytecode = summarise(bytecodeRows)
console.log(bytecodeText(bytecode))

const chainRows =
  values.rpc === undefined ? undefined : await Effect.runPromise(runChainTrack(dir, values.rpc))
const chain = chainRows === undefined ? undefined : summariseChain(chainRows)
if (chain !== undefined) console.log(`\n${chainText(chain)}`)

const out = resolve(values.out)
mkdirSync(out, { recursive: true })
const title = `Token-risk evaluation: ${basename(resolve(dir))}`
writeFileSync(
  join(out, "report.json"),
  `${JSON.stringify({ title, bytecode, chain: chain ?? null, bytecodeRows, chainRows: chainRows ?? null }, undefined, 1)}\n`
)
writeFileSync(join(out, "report.html"), reportHtml(title, bytecode, chain))
console.log(`\nwritten: ${join(out, "report.json")}, ${join(out, "report.html")}`)
