/**
 * What our own verification says before any chain is asked. Where `signatureVerified` is false the payer may be a
 * contract, and only the chain can tell whether it agrees.
 */
export type LocalVerdict =
  | { readonly ok: true; readonly payer: string; readonly signatureVerified: boolean }
  | { readonly ok: false; readonly payer: string; readonly reason: string }
