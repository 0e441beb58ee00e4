import { SqlError } from "@effect/sql/SqlError"
import { Effect, Either, Exit } from "effect"

/** What taking turns needs of a connection. Everything throws what SQLite says. */
export interface Transactional {
  readonly isInTransaction: () => boolean
  /** Runs one statement that has no result. */
  readonly run: (text: string) => void
  /** Calls back when whoever can go on in this turn of the event loop has gone on. */
  readonly endOfTurn: (call: () => void) => void
  /** Whether commits wait for the disk, from the next transaction on. Before it is called they do. */
  readonly setSynced: (isSynced: boolean) => void
}

/** Most transactions that share one commit: one that is held back waits for at most so many others. */
const MOST_TOGETHER = 64
/** Inside the shared transaction each work is undone by itself. */
const SAVEPOINT = "work"

type Outcome = Either.Either<void, SqlError>

/** A shared transaction: its works, and those who wait to hear of its end. */
class Shared {
  works = 0
  /** Its commit waits for the disk. */
  readonly isSynced: boolean
  #outcome: Outcome | undefined
  readonly #listeners: Array<(outcome: Outcome) => void> = []

  constructor(isSynced: boolean) {
    this.isSynced = isSynced
  }

  /** Succeeds when all of it is on disk, or, where that is not asked for, with the system. */
  readonly committed: Effect.Effect<void, SqlError> = Effect.async((resume) => {
    if (this.#outcome === undefined) this.#listeners.push(resume)
    else resume(this.#outcome)
  })

  end(outcome: Outcome): void {
    this.#outcome = outcome
    for (const listener of this.#listeners) listener(outcome)
  }
}

const failed = (cause: unknown): Outcome =>
  Either.left(
    new SqlError({
      cause,
      message: `The transaction was not committed: ${cause instanceof Error ? cause.message : String(cause)}`
    })
  )

/** Whether a statement succeeded; SQLite's own answer where it did not. */
const attempt = (statement: () => void): Outcome => {
  try {
    statement()
    return Either.void
  } catch (cause) {
    return failed(cause)
  }
}

/** Who may use the connection. Nothing here knows of transactions. */
const makeQueue = () => {
  const waiting: Array<() => void> = []
  return {
    isEmpty: () => waiting.length === 0,
    /** Lets the first one go on; `false` when there is none. */
    admitOne: (): boolean => {
      const first = waiting.shift()
      first?.()
      return first !== undefined
    },
    /** Must not be interrupted: a turn that was given has to be given back. */
    enter: (advance: () => void): Effect.Effect<void> =>
      Effect.async((resume) => {
        waiting.push(() => resume(Effect.void))
        advance()
      })
  }
}

/** Begins, commits and takes back the shared transaction. */
const makeSharing = (connection: Transactional) => {
  let open: Shared | undefined
  /** A work has its place in it, and has not come to its end. */
  let isUnderWay = false
  let isSyncing = true
  const isGone = () => open !== undefined && !connection.isInTransaction()

  const sync = (isSynced: boolean): void => {
    if (isSyncing === isSynced) return
    connection.setSynced(isSynced)
    isSyncing = isSynced
  }

  /** Whatever else runs on this connection is synced: only a transaction that need not be is not, and only until it ends. */
  const close = (outcome: Outcome): void => {
    const ended = open
    open = undefined
    if (Either.isLeft(outcome) && connection.isInTransaction()) attempt(() => connection.run("ROLLBACK"))
    attempt(() => sync(true))
    ended?.end(outcome)
  }

  const commit = (): void => close(attempt(() => connection.run("COMMIT")))

  /** Keeps one work, or undoes it. After some errors (a full disk) SQLite has undone everything by itself. */
  const finish = (isKept: boolean): Outcome => {
    const finished =
      !isUnderWay || isGone()
        ? failed("SQLite gave up the transaction")
        : attempt(() => {
            if (!isKept) connection.run(`ROLLBACK TO ${SAVEPOINT}`)
            connection.run(`RELEASE ${SAVEPOINT}`)
          })
    isUnderWay = false
    if (Either.isLeft(finished)) close(finished)
    return finished
  }

  return {
    isOpen: () => open !== undefined,
    /** Whether the open transaction needs no sync to disk: then waiting for others who would share it gains nothing. */
    isCheap: () => open !== undefined && !open.isSynced,
    isFull: () => open !== undefined && open.works >= MOST_TOGETHER,
    commit,
    /** The shared transaction, with a place in it to go back to. What must be on disk is in none that need not be. */
    join: (isSynced: boolean): Either.Either<Shared, SqlError> => {
      if (isSynced && open?.isSynced === false) commit()
      const begun = attempt(() => {
        if (open === undefined) {
          sync(isSynced)
          connection.run("BEGIN")
        }
        connection.run(`SAVEPOINT ${SAVEPOINT}`)
      })
      if (Either.isLeft(begun)) {
        // Begun, and nobody in it: left open, no other transaction could begin.
        if (open === undefined) close(begun)
        return Either.left(begun.left)
      }
      open ??= new Shared(isSynced)
      open.works += 1
      isUnderWay = true
      return Either.right(open)
    },
    finish,
    /** Commits what is finished before the connection is closed. Half of a work is none: who is in the middle of one is told so. */
    end: (): void => {
      if (isUnderWay) finish(false)
      if (open !== undefined) commit()
    }
  }
}

type Sharing = ReturnType<typeof makeSharing>

interface WorkOptions {
  /** Runs when the work has been run, however it ended. */
  readonly after?: Effect.Effect<void>
  /** Whether success means that it is on disk, as it does unless this is `false`. */
  readonly isSynced?: boolean
}

/** Work as a part of the shared transaction. Whoever calls has the connection, and gives it back here by `leave`. */
const inShared = <A, E, R>(
  sharing: Sharing,
  leave: () => void,
  work: Effect.Effect<A, E, R>,
  { after = Effect.void, isSynced = true }: WorkOptions
): Effect.Effect<A, E | SqlError, R> => {
  const shared = sharing.join(isSynced)
  if (Either.isLeft(shared)) {
    leave()
    return Effect.fail(shared.left)
  }
  return Effect.flatMap(Effect.exit(work), (exit) => {
    const finished = sharing.finish(Exit.isSuccess(exit))
    leave()
    const kept = Either.isLeft(finished) ? finished : shared.right.committed
    const ended = Exit.isSuccess(exit) ? Effect.zipRight(kept, exit) : exit
    return after === Effect.void ? ended : Effect.zipRight(after, ended)
  })
}

/** Calls at the end of this turn of the event loop, once however often it is asked for. */
const oncePerTurn = ({ endOfTurn }: Transactional, call: () => void): (() => void) => {
  let isDue = false
  return () => {
    if (isDue) return
    isDue = true
    endOfTurn(() => {
      isDue = false
      call()
    })
  }
}

/**
 * Turns at one connection, with group commit: transactions that come while another one runs, or right behind it, share
 * one commit and so one wait for the disk. Each is undone by itself when it fails, and none is told that it succeeded
 * before all of it is on disk. What is not part of a transaction waits until none is open, so it never sees what may
 * still be taken back. Work that need not be on disk (`isSynced`) has a commit of its own, or one of those that are.
 */
export const makeTurns = (connection: Transactional) => {
  const joining = makeQueue()
  const alone = makeQueue()
  const sharing = makeSharing(connection)
  let isHeld = false

  // Whoever can go on in this turn of the event loop may still join.
  const commitSoon = oncePerTurn(connection, () => {
    if (isHeld || !sharing.isOpen()) return
    sharing.commit()
    advance()
  })

  const advance = (): void => {
    if (isHeld) return
    if (sharing.isFull()) sharing.commit()
    isHeld = true
    if (!sharing.isOpen() && alone.admitOne()) return
    if (joining.admitOne()) return
    isHeld = false
    if (sharing.isCheap()) {
      sharing.commit()
      advance()
    } else if (sharing.isOpen()) commitSoon()
  }

  const leave = (): void => {
    isHeld = false
    advance()
  }

  /** Takes the connection for a transaction where nobody has it and nobody comes first. */
  const enterNow = (): boolean => {
    const isFree = !isHeld && joining.isEmpty() && !sharing.isFull() && (sharing.isOpen() || alone.isEmpty())
    if (isFree) isHeld = true
    return isFree
  }

  const enterAlone = Effect.uninterruptible(alone.enter(advance))

  return {
    /** Waits for the connection with no transaction open. Whoever got it gives it back with `leave`. */
    enterAlone,
    leave,
    /** Runs a statement that is no part of a transaction. */
    alone: <A>(statement: Effect.Effect<A, SqlError>): Effect.Effect<A, SqlError> =>
      Effect.suspend(() =>
        isHeld || sharing.isOpen()
          ? Effect.uninterruptible(
              Effect.zipRight(enterAlone, Effect.ensuring(statement, Effect.sync(leave)))
            )
          : statement
      ),
    /** Runs `work` as a transaction. */
    together: <A, E, R>(
      work: Effect.Effect<A, E, R>,
      options: WorkOptions = {}
    ): Effect.Effect<A, E | SqlError, R> =>
      Effect.uninterruptibleMask((restore) => {
        if (!enterNow())
          return Effect.flatMap(joining.enter(advance), () =>
            inShared(sharing, leave, restore(work), options)
          )
        return inShared(sharing, leave, restore(work), options)
      }),
    /** Before the connection is closed. */
    end: sharing.end
  }
}

export type Turns = ReturnType<typeof makeTurns>
