/**
 * What our own checks say before any chain is asked. `proven` means the payer's signature was verified here; otherwise
 * the payer may be a contract, and only the chain can tell whether it agrees.
 */
export type LocalVerdict =
  | { readonly ok: true; readonly payer: string; readonly proven: boolean }
  | { readonly ok: false; readonly payer: string; readonly reason: string }
