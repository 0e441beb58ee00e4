import { Effect, type Scope } from "effect"
import { fstatSync, write, writeSync } from "node:fs"

/** Where lines go in the end. `write` does not wait; `done` is told whether the text was taken, and when. */
export interface LogTarget {
  readonly write: (text: string, done: (isTaken: boolean) => void) => void
  /** At the very end of the process, when nothing runs that could be told. */
  readonly writeNow: (text: string) => void
}

/** Takes log lines without anybody waiting for where they go. */
export interface LogOutput {
  readonly write: (line: string) => void
  /** Lines that were lost, or part of a text that was, and not told of yet, once there is room again to tell of them. */
  readonly takeLost: () => number
}

/** Characters of lines that wait for a target that takes none. Lines beyond are lost. */
export const LONGEST_WAIT = 4_194_304
/** How long the end of the process waits for lines to be taken. */
const LAST_WAIT = "2 seconds"

const STDOUT = 1

/** A file takes what it is given by a thread of Node's pool: a slow disk does not hold the event loop. */
const fileTarget: LogTarget = {
  write: (text, done) => {
    const bytes = Buffer.from(text)
    const from = (at: number): void =>
      write(STDOUT, bytes, at, (error, written) => {
        if (error !== null) done(false)
        else if (at + written < bytes.length) from(at + written)
        else done(true)
      })
    from(0)
  },
  writeNow: (text) => {
    try {
      writeSync(STDOUT, text)
    } catch {
      // Nobody is left to be told, and the process ends for a reason of its own.
    }
  }
}

/** Node writes to pipes and sockets without waiting. In its pool, a reader that stops would keep a thread. */
const streamTarget: LogTarget = {
  write: (text, done) => {
    // Node gives null where its types say undefined.
    process.stdout.write(text, (error) => done((error ?? null) === null))
  },
  writeNow: (text) => {
    process.stdout.write(text)
  }
}

const ignore = (): void => {}

/** Standard output. One whose reader has gone loses the lines and ends nothing. */
export const standardOutput: Effect.Effect<LogTarget, never, Scope.Scope> = Effect.acquireRelease(
  Effect.sync(() => {
    process.stdout.on("error", ignore)
    const stat = fstatSync(STDOUT)
    return stat.isFIFO() || stat.isSocket() ? streamTarget : fileTarget
  }),
  () => Effect.sync(() => process.stdout.off("error", ignore))
)

/**
 * Lines of one turn of the event loop are written together, and one text at a time. A target that takes nothing costs no
 * request its answer, and no more memory than `LONGEST_WAIT`.
 */
const makeQueue = (target: LogTarget) => {
  let lines: Array<string> = []
  let waiting = 0
  let lost = 0
  let isWriting = false
  let isDue = false
  let whenAtRest: () => void = ignore

  const take = (): string => {
    const text = lines.map((line) => `${line}\n`).join("")
    lines = []
    waiting = 0
    return text
  }
  const send = (): void => {
    isDue = false
    if (isWriting) return
    if (lines.length === 0) return whenAtRest()
    isWriting = true
    const count = lines.length
    target.write(take(), (isTaken) => {
      isWriting = false
      if (!isTaken) lost += count
      send()
    })
  }
  const output: LogOutput = {
    write: (line) => {
      if (waiting + line.length > LONGEST_WAIT) {
        lost += 1
        return
      }
      lines.push(line)
      waiting += line.length
      if (isDue || isWriting) return
      isDue = true
      setImmediate(send)
    },
    takeLost: () => {
      if (waiting > LONGEST_WAIT / 2) return 0
      const told = lost
      lost = 0
      return told
    }
  }
  const sendNow = (): void => {
    if (lines.length > 0) target.writeNow(take())
  }
  const rest = Effect.async<void>((resume) => {
    whenAtRest = () => resume(Effect.void)
    send()
  })
  return { output, sendNow, rest }
}

/** Opens an output to a target. Its end waits for the lines to be taken; so does an end of the process that comes first. */
export const openLogOutput = (target: LogTarget): Effect.Effect<LogOutput, never, Scope.Scope> =>
  Effect.acquireRelease(
    Effect.sync(() => {
      const queue = makeQueue(target)
      process.on("exit", queue.sendNow)
      return queue
    }),
    ({ rest, sendNow }) =>
      rest.pipe(
        Effect.timeoutOption(LAST_WAIT),
        Effect.zipRight(Effect.sync(() => process.off("exit", sendNow)))
      )
  ).pipe(Effect.map(({ output }) => output))
