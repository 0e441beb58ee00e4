import { readFileSync, writeFileSync } from "node:fs"
import { DEFAULT_CHECKOUT_SERVICE } from "../src/api/checkout.ts"
import { describeApi } from "../src/api/openapi.ts"

/**
 * Writes the OpenAPI document of a deployment with default prices to `src/api/openapi.json`; with `--check` it only
 * compares, so that a change of the contract is always a change of a committed file.
 */
const FILE = new URL("../src/api/openapi.json", import.meta.url)

const document = `${JSON.stringify(
  describeApi({
    serverUrl: "http://127.0.0.1:3402",
    checkoutService: DEFAULT_CHECKOUT_SERVICE,
    prices: { ping: 5_000n, deep: 40_000n }
  }),
  null,
  2
)}\n`

if (!process.argv.includes("--check")) writeFileSync(FILE, document)
else if (readFileSync(FILE, "utf8") !== document) {
  console.error("src/api/openapi.json is out of date: run `npm run openapi`")
  process.exitCode = 1
}
