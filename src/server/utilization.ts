import { performance } from "node:perf_hooks"

/** The share of the time since it was last asked in which the event loop had something to do. */
export const makeUtilization = (): (() => number) => {
  let last = performance.eventLoopUtilization()
  return () => {
    const now = performance.eventLoopUtilization()
    const { utilization } = performance.eventLoopUtilization(now, last)
    last = now
    return utilization
  }
}
