/** What `EXTRA_LP_LOCKERS` must be; both chains' plans read it, each its own entries. */
export const EXTRA_LOCKERS_FORM =
  "must be 0x addresses (Base) or base58 addresses (Solana), separated by commas"
