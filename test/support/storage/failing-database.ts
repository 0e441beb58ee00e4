/** A database that refuses some of its statements, or takes them and says that it did not. */
import Sqlite from "better-sqlite3"
import { sqliteClientOver } from "../../../src/storage/sqlite/sqlite-client.ts"

/** From which statement on so many fail, and whether they were done all the same. */
export interface Fault {
  readonly from: number
  readonly many: number
  readonly isDone: boolean
}

type Run = (...given: ReadonlyArray<unknown>) => unknown

/** An object with another function in the place of each of those that `instead` answers. */
const replacing = <A extends object>(of: A, instead: (name: string, own: Run) => Run): A =>
  new Proxy(of, {
    get: (_, name) => {
      const member: unknown = Reflect.get(of, name, of)
      if (typeof member !== "function") return member
      return instead(String(name), (...given) => Reflect.apply(member, of, given))
    }
  })

/** A database whose statements are counted, from `watch` on, and fail as they are told to. */
export const failing = (bytes: Buffer, { from, isDone, many }: Fault) => {
  let [count, isWatched] = [0, false]
  const failingAt =
    (run: Run): Run =>
    (...params) => {
      if (!isWatched) return run(...params)
      const at = count++
      if (at < from || at >= from + many) return run(...params)
      if (isDone) run(...params)
      throw new Sqlite.SqliteError("database or disk is full", "SQLITE_FULL")
    }
  const statement = (made: unknown): unknown =>
    typeof made === "object" && made !== null
      ? replacing(made, (name, own) => (name === "all" || name === "run" ? failingAt(own) : own))
      : made
  const open = () =>
    replacing(new Sqlite(bytes), (name, own) =>
      name === "prepare" ? (...given) => statement(own(...given)) : own
    )
  return {
    database: sqliteClientOver(open),
    watch: () => void (isWatched = true),
    mend: () => void (isWatched = false),
    statements: () => count
  }
}
