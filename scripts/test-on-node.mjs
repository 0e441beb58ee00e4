/**
 * Runs the part of the suite that depends on Node itself under other versions of it: compiled modules, HTTP, processes,
 * worker threads, crypto. `npm run test:nodes [-- VERSION …]`; `oldest` is what package.json allows, `newest` the image's,
 * and without any both are taken. Works in a copy made of hard links, so that the installation here stays as it is.
 */
import { spawnSync } from "node:child_process"
import { existsSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs"
import { dirname, join } from "node:path"
import { fileURLToPath } from "node:url"

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const cache = join(root, "node_modules", ".cache", "nodes")

const COMPILED = ["better-sqlite3", "secp256k1"]
const TESTS = [
  "test/domain",
  "test/http",
  "test/operations",
  "test/free-tier",
  "test/attestation",
  "test/payment/ledger",
  "test/payment/sale",
  "test/storage/database.test.ts",
  "test/screening/base/analysis",
  "test/server",
  "test/hostile/aborts.test.ts",
  "test/hostile/slow.test.ts",
  "test/e2e/start.test.ts"
]
/** What takes long in these and tries decisions of our own over many made-up runs: another Node decides nothing there. */
const DECIDED = [
  "test/free-tier/free-tier-counting.test.ts",
  "test/http/extensions.test.ts",
  "test/payment/sale/failing-statements.test.ts",
  "test/payment/sale/faults.test.ts",
  "test/payment/sale/sale-model.test.ts",
  "test/server/config.test.ts"
]

const read = (name) => readFileSync(join(root, name), "utf8")

const named = () => {
  const oldest = /(\d+\.\d+)/.exec(JSON.parse(read("package.json")).engines.node)?.[1]
  const image = /^FROM node:(\d+\.\d+\.\d+)-/m.exec(read("Dockerfile"))?.[1]
  if (oldest === undefined || image === undefined) throw new Error("no version in package.json or Dockerfile")
  return { oldest: `${oldest}.0`, newest: image }
}

const run = (command, args, options) => {
  const { status } = spawnSync(command, args, { stdio: "inherit", ...options })
  if (status !== 0) throw new Error(`${command} ${args.join(" ")} failed`)
}

/** Where npm's package `node` keeps this version: with the headers that compiled modules need. */
const fetched = (version) => {
  const place = join(cache, version)
  const home = join(place, "node_modules", `node-linux-${process.arch}`)
  if (!existsSync(home)) {
    mkdirSync(place, { recursive: true })
    writeFileSync(join(place, "package.json"), "{}")
    run("npm", ["install", "--no-save", "--no-audit", "--no-fund", `node-linux-${process.arch}@${version}`], {
      cwd: place
    })
  }
  return home
}

const testOn = (version) => {
  const home = fetched(version)
  const copy = mkdtempSync(join(dirname(root), ".token-risk-node-"))
  try {
    for (const name of ["src", "test", "scripts", "deploy"]) run("cp", ["-al", join(root, name), copy])
    // Not the caches: who runs beside this may be writing them.
    const installed = readdirSync(join(root, "node_modules")).filter(
      (name) => !/^\.(?:cache|vite)/.test(name)
    )
    mkdirSync(join(copy, "node_modules"))
    const packages = installed.map((name) => join(root, "node_modules", name))
    run("cp", ["-al", ...packages, join(copy, "node_modules")])
    // A build may be written anew meanwhile.
    if (existsSync(join(root, "dist"))) run("cp", ["-a", join(root, "dist"), copy])
    const files = [
      "package.json",
      "tsconfig.json",
      "tsconfig.build.json",
      "vitest.config.ts",
      "Dockerfile",
      "README.md"
    ]
    run("cp", [...files.map((name) => join(root, name)), copy])
    const env = {
      ...process.env,
      PATH: `${join(home, "bin")}:${process.env["PATH"]}`,
      npm_config_nodedir: home
    }
    const options = { cwd: copy, env }
    console.log(`Node ${version}`)
    // What only has to pass tests is compiled in a third of the time.
    const quickly = { ...env, CFLAGS: "-O0", CXXFLAGS: "-O0" }
    run("npm", ["rebuild", "--build-from-source", "--foreground-scripts=false", ...COMPILED], {
      cwd: copy,
      env: quickly
    })
    const excluded = DECIDED.map((file) => `--exclude=${file}`)
    run("node", ["node_modules/vitest/vitest.mjs", "run", ...TESTS, ...excluded], options)
  } finally {
    rmSync(copy, { recursive: true, force: true })
  }
}

const versions = new Map(Object.entries(named()))
const asked = process.argv.slice(2)
for (const version of asked.length > 0 ? asked : versions.keys()) testOn(versions.get(version) ?? version)
