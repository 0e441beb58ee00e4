/** What ends sooner than this counts as free: nobody who buys today can rely on it. */
export const LEAST_LOCK_SECONDS = 30 * 86_400
