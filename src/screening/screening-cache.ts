import { Duration } from "effect"
import { lasts } from "../domain/lasts.ts"
import type { Screening } from "../domain/screening.ts"
import type { TokenRef } from "../domain/token.ts"
import { tokenKey } from "../domain/token.ts"

/**
 * How long a screening with a gap in its critical evidence is kept: at first so briefly that whoever asks again soon finds the
 * gap closed, and twice as long each time it is still there, so that a failing upstream is not asked more and more, and a
 * token of which something can never be known costs little more than others.
 */
const [FIRST_GAP_MILLIS, LONGEST_GAP_MILLIS] = [3_000, 30_000]
/** A gap goes on where another ended no longer ago. */
const GAP_GOES_ON_MILLIS = 60_000

/** The last screening of each token until its time is over, the least recently used leaving first. */
export interface ScreeningCache {
  readonly get: (token: TokenRef, now: number) => Screening | undefined
  /** What `get` would give, unless that is due to be made anew. Counts as asked. */
  readonly peek: (token: TokenRef, now: number) => Screening | undefined
  readonly put: (screening: Screening, now: number) => void
  readonly drop: (token: TokenRef) => void
  /**
   * Whether a screening that `get` gave is worth making anew before its time is over: it is asked for often, and near its
   * end. Says so once.
   */
  readonly isDue: (screening: Screening, now: number) => boolean
}

interface Entry {
  readonly screening: Screening
  /** Milliseconds that it is kept for. */
  readonly life: number
  readonly expiresAt: number
  /** When it is made anew, if it is asked for often. */
  readonly renewAt: number
  /** How long it was kept, if something critical was unknown. */
  readonly gapMillis: number | undefined
  asked: number
  renewed: boolean
}

/** Share of a screening's life after which it is made anew while it still answers. */
const RENEW_AFTER = 0.75
/** Times a screening must have been asked for to be kept fresh: nobody pays for work that nobody asks for. */
const OFTEN = 3

const hasGap = (screening: Screening): boolean =>
  screening.signals.some((signal) => signal.critical && signal.state === "unknown")

/** How long a gap is kept, after what was kept before it. */
const gapLife = (before: Entry | undefined, now: number): number =>
  before?.gapMillis === undefined || now >= before.expiresAt + GAP_GOES_ON_MILLIS
    ? FIRST_GAP_MILLIS
    : Math.min(2 * before.gapMillis, LONGEST_GAP_MILLIS)

export const makeScreeningCache = (options: {
  readonly ttl: Duration.Duration
  readonly capacity: number
}): ScreeningCache => {
  // A Map keeps insertion order: what is read is put back at the end, so the first key is the least recently used.
  const entries = new Map<string, Entry>()
  const ttlMillis = Duration.toMillis(options.ttl)

  const get = (token: TokenRef, now: number): Screening | undefined => {
    const key = tokenKey(token)
    const entry = entries.get(key)
    if (entry === undefined) return undefined
    // What is over answers nobody, and still tells the next one how long a gap has lasted.
    if (!lasts(entry.expiresAt, entry.life, now)) return undefined
    entries.delete(key)
    entry.asked += 1
    entries.set(key, entry)
    return entry.screening
  }

  const entryOf = ({ token }: Screening): Entry | undefined => entries.get(tokenKey(token))

  const isDue = (entry: Entry, now: number): boolean =>
    !entry.renewed && entry.asked >= OFTEN && now >= entry.renewAt

  return {
    get,
    peek: (token, now) => {
      const screening = get(token, now)
      const entry = screening && entryOf(screening)
      return entry === undefined || isDue(entry, now) ? undefined : screening
    },
    put: (screening, now) => {
      const key = tokenKey(screening.token)
      const gapMillis = hasGap(screening) ? gapLife(entries.get(key), now) : undefined
      const life = Math.min(ttlMillis, gapMillis ?? ttlMillis)
      if (life <= 0) return
      entries.delete(key)
      const [expiresAt, renewAt] = [now + life, now + life * RENEW_AFTER]
      entries.set(key, { screening, life, expiresAt, renewAt, gapMillis, asked: 0, renewed: false })
      const [oldest] = entries.keys()
      if (entries.size > options.capacity && oldest !== undefined) entries.delete(oldest)
    },
    drop: (token) => {
      entries.delete(tokenKey(token))
    },
    isDue: (screening, now) => {
      const entry = entryOf(screening)
      if (entry === undefined || !isDue(entry, now)) return false
      entry.renewed = true
      return true
    }
  }
}

/**
 * How long a token without pools stays unknown without another look. Short, because it may get its first pool any
 * moment; long enough that asking again and again costs one look.
 */
const UNKNOWN_MILLIS = 3_000
/** Unknown tokens remembered; anybody can invent them. */
const MAX_UNKNOWN = 5_000

/** Tokens that were found to have no pool a moment ago. */
export const makeUnknownTokens = () => {
  const until = new Map<string, number>()
  return {
    has: (token: TokenRef, now: number): boolean => {
      const key = tokenKey(token)
      const end = until.get(key)
      if (end === undefined) return false
      if (lasts(end, UNKNOWN_MILLIS, now)) return true
      until.delete(key)
      return false
    },
    add: (token: TokenRef, now: number): void => {
      const key = tokenKey(token)
      until.delete(key)
      until.set(key, now + UNKNOWN_MILLIS)
      const [oldest] = until.keys()
      if (until.size > MAX_UNKNOWN && oldest !== undefined) until.delete(oldest)
    }
  }
}

export type UnknownTokens = ReturnType<typeof makeUnknownTokens>
