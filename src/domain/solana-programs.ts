/** Solana's own programs and those everybody shares; the same on every cluster. Source: the Solana Program Library. */
export const SOLANA_PROGRAMS = {
  system: "11111111111111111111111111111111",
  token: "TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA",
  token2022: "TokenzQdBNbLqP5VEhdkAS6EPFLC1PHnBqCXEpPxuEb",
  associatedToken: "ATokenGPvbdGVxr1b2hvZbsiqW5xWH25efTNsLJA8knL",
  computeBudget: "ComputeBudget111111111111111111111111111111",
  memo: "MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr",
  /** The memo program before that one; wallets still call it. */
  oldMemo: "Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo"
} as const
