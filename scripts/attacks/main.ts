/** `npm run attacks [-- DIR …]`: every trap and control of the packaged set, and of the directories given. */
import { parseArgs } from "node:util"
import { Effect } from "effect"
import { packagedSets } from "./format.ts"
import { runAttacks } from "./run.ts"
import { attackSummary, attackText, brokenPromises } from "./text.ts"

const USAGE = "npm run attacks [-- DIR …] [--only NAME …] [--purchases N] [--no-proof] [--verbose]"

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: "string", multiple: true },
    purchases: { type: "string", default: "0" },
    "no-proof": { type: "boolean", default: false },
    verbose: { type: "boolean", default: false },
    help: { type: "boolean", default: false }
  }
})

if (values.help) {
  console.log(USAGE)
  process.exit(0)
}

for (const dir of positionals.length === 0 ? packagedSets() : positionals) {
  const results = await Effect.runPromise(
    runAttacks(dir, {
      prove: !values["no-proof"],
      purchases: Number(values.purchases),
      ...(values.only === undefined ? {} : { only: values.only })
    })
  )
  console.log(`${dir}\n${attackText(results, values.verbose)}\n${attackSummary(results)}`)
  const broken = brokenPromises(results)
  for (const promise of broken) console.error(`BROKEN: ${promise}`)
  if (broken.length > 0 && values.only === undefined) process.exitCode = 1
}
