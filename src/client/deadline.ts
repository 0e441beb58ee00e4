import type { Charged } from "./errors.ts"
import { Aborted, TimedOut } from "./errors.ts"

/** How long one call may take, and who may end it. */
export interface CallLimits {
  /**
   * Milliseconds for the whole call, waiting and repeating included; the time in which `approve` is asked does not count.
   * Default: 15,000.
   */
  readonly timeoutMs?: number | undefined
  /** Ends the call. Aborted before the payment is sent, nothing is paid. */
  readonly signal?: AbortSignal | undefined
}

export const DEFAULT_TIMEOUT_MS = 15_000

/** The longest delay timers take; a longer one would fire at once. */
const MAX_TIMEOUT_MS = 2 ** 31 - 1

export interface Deadline {
  /** Aborted when the caller aborts or the time is up. */
  readonly signal: AbortSignal
  /** The error to end with, or `undefined` while there is time. */
  readonly over: (charged: Charged, payment?: string) => Aborted | TimedOut | undefined
  /** Waits, but never beyond the deadline. */
  readonly pause: (milliseconds: number) => Promise<void>
  /** Waits for somebody whose time does not count. */
  readonly uncounted: <A>(ask: () => A | Promise<A>) => Promise<A>
  /** Must be called when the call ends: it releases the timer and the listener. */
  readonly end: () => void
}

/** Whether a number can be a time limit, in milliseconds. */
export const isTimeout = (value: number): boolean => Number.isFinite(value) && value > 0

/** Begins the time of one call. Its `end` must be called, however the call ends. */
export const startDeadline = ({ signal, timeoutMs = DEFAULT_TIMEOUT_MS }: CallLimits): Deadline => {
  const controller = new AbortController()
  let timedOut = false
  const abort = () => controller.abort()
  let left = timeoutMs
  const run = () => {
    const since = performance.now()
    const timer = setTimeout(
      () => {
        timedOut = true
        abort()
      },
      Math.min(Math.max(left, 0), MAX_TIMEOUT_MS)
    )
    return () => {
      clearTimeout(timer)
      left -= performance.now() - since
    }
  }
  let stop = run()
  if (signal?.aborted === true) abort()
  signal?.addEventListener("abort", abort, { once: true })
  return {
    signal: controller.signal,
    over: (charged, payment) => {
      if (!controller.signal.aborted) return undefined
      return timedOut
        ? new TimedOut(timeoutMs, charged, payment)
        : new Aborted(signal?.reason, charged, payment)
    },
    pause: (milliseconds) =>
      new Promise((resolve) => {
        const done = () => {
          clearTimeout(waiting)
          controller.signal.removeEventListener("abort", done)
          resolve()
        }
        const waiting = setTimeout(done, milliseconds)
        controller.signal.addEventListener("abort", done, { once: true })
        if (controller.signal.aborted) done()
      }),
    uncounted: async (ask) => {
      stop()
      try {
        return await ask()
      } finally {
        stop = run()
      }
    },
    end: () => {
      stop()
      signal?.removeEventListener("abort", abort)
    }
  }
}
