/** Milliseconds by which a chain's newest time may be behind ours: chains have stood still, and clocks been late by minutes. */
const MOST_BEHIND = 1_800_000

/** Whether a node that shows these Unix seconds for the newest shows a past: what it says of owners may be long over. */
export const isPast = (seconds: number, now: number): boolean => seconds * 1_000 < now - MOST_BEHIND
