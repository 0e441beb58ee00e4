/** A connection to SQLite that ends with its process, whatever it was doing. */
import Sqlite from "better-sqlite3"

interface MortalFileOptions {
  readonly path: string
  /** Asked before every statement, `COMMIT` included: whether the process still lives. */
  readonly lives: () => boolean
}

const isCall = (value: unknown): value is (...args: ReadonlyArray<unknown>) => unknown =>
  typeof value === "function"

/** `target`, with some of its methods behind a gate. Others run on the target itself. */
const behind = <A extends object>(target: A, gate: (name: PropertyKey, call: () => unknown) => unknown): A =>
  new Proxy(target, {
    get: (_, name) => {
      const value: unknown = Reflect.get(target, name, target)
      return isCall(value)
        ? (...args: ReadonlyArray<unknown>) => gate(name, () => Reflect.apply(value, target, args))
        : value
    }
  })

/**
 * Opens a file. Between any two statements the process may die: then the kernel closes the file, which undoes what was
 * not committed and frees its locks, and whatever the process still tries fails.
 */
export const openMortalFile = ({ lives, path }: MortalFileOptions) => {
  const file = new Sqlite(path)
  // A statement that finds the file locked must not block the only thread: it is repeated in virtual time.
  file.pragma("busy_timeout = 0")
  file.pragma("synchronous = OFF")
  let isOpen = true
  const close = () => {
    isOpen = false
    file.close()
  }
  const alive = (call: () => unknown): unknown => {
    if (!isOpen || !lives()) throw new Error("the process is dead")
    return call()
  }
  const statement = (made: Sqlite.Statement): Sqlite.Statement =>
    behind(made, (name, call) => (name === "run" || name === "all" ? alive(call) : call()))
  const connection = new Proxy(file, {
    get: (_, name) => {
      if (name === "prepare") return (text: string) => statement(file.prepare(text))
      if (name === "inTransaction") return isOpen && file.inTransaction
      if (name === "close") return () => (isOpen ? close() : undefined)
      const value: unknown = Reflect.get(file, name, file)
      return isCall(value) ? (...args: ReadonlyArray<unknown>) => Reflect.apply(value, file, args) : value
    }
  })
  return { connection, close }
}
