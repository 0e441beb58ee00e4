/** Any moment that is not the epoch: an authorization is never valid at second zero. */
export const NOW = 1_800_000_000_000
