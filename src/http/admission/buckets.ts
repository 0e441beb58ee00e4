/** Addresses remembered per bucket set; the one unused for longest is forgotten first, and starts full again. */
const MAX_ADDRESSES = 20_000

interface Bucket {
  readonly tokens: number
  readonly at: number
}

export interface Buckets {
  /** Takes one token. Milliseconds until there is one again when there is none, else 0. */
  readonly take: (address: string, now: number) => number
  /** The same without taking. */
  readonly peek: (address: string, now: number) => number
  readonly size: () => number
}

/** A token bucket per address: `burst` at once, `perSecond` back. Pure state, the caller brings the time. */
export const makeBuckets = (options: { readonly burst: number; readonly perSecond: number }): Buckets => {
  const { burst, perSecond } = options
  // A Map keeps insertion order: what is used goes to the end, so the first key is the least recently used.
  const buckets = new Map<string, Bucket>()

  /** What one has that was looked at before the clock was set back comes back from now on, not from that moment on. */
  const since = (address: string, bucket: Bucket, now: number): Bucket => {
    if (bucket.at <= now) return bucket
    const anew = { tokens: bucket.tokens, at: now }
    buckets.set(address, anew)
    return anew
  }

  const level = (address: string, now: number): number => {
    const known = buckets.get(address)
    if (known === undefined) return burst
    const { at, tokens } = since(address, known, now)
    return Math.min(burst, tokens + ((now - at) / 1_000) * perSecond)
  }

  const missing = (tokens: number): number =>
    tokens >= 1 ? 0 : Math.ceil(((1 - tokens) / perSecond) * 1_000)

  const store = (address: string, tokens: number, now: number): void => {
    buckets.delete(address)
    buckets.set(address, { tokens, at: now })
    const oldest = buckets.size > MAX_ADDRESSES ? buckets.keys().next().value : undefined
    if (oldest !== undefined) buckets.delete(oldest)
  }

  return {
    take: (address, now) => {
      const tokens = level(address, now)
      const wait = missing(tokens)
      store(address, wait === 0 ? tokens - 1 : tokens, now)
      return wait
    },
    peek: (address, now) => missing(level(address, now)),
    size: () => buckets.size
  }
}
