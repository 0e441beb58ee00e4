/**
 * What the machine-readable reasons of a refused payment mean, and what to do. A test compares this table with the
 * codes in the sources: none can be missing.
 */
export const REFUSALS: Readonly<Record<string, string>> = {
  payment_already_used: "This payment bought the answer to another request. Sign a new one for this request.",
  payment_used_elsewhere:
    "This payment belongs to another order or was spent elsewhere. Look at your wallet first.",
  duplicate_settlement: "The same payment is being settled. Send it again, do not sign another.",
  invalid_x402_version: "Sign x402 version 2.",
  invalid_network: "Pay on one of the networks in accepts.",
  unsupported_scheme: "Use the scheme exact.",
  unsupported_payload_type: "On Base sign an EIP-3009 authorization; Permit2 is not taken.",
  invalid_payment_requirements: "accepted must repeat one entry of accepts, unchanged.",
  invalid_exact_evm_signature: "The signature is not the payer's for this authorization.",
  invalid_exact_evm_payload_signature: "The signature is not the payer's for this authorization.",
  invalid_exact_evm_token_name_mismatch: "Sign with extra.name of the challenge.",
  invalid_exact_evm_token_version_mismatch: "Sign with extra.version of the challenge.",
  invalid_exact_evm_recipient_mismatch: "to must be the payTo of the challenge.",
  invalid_exact_evm_recipient_is_payer: "from must not be payTo: nothing would come in.",
  invalid_exact_evm_payload_authorization_value_mismatch: "value must be the amount of the challenge.",
  invalid_exact_evm_payload_authorization_valid_before:
    "Expired, too close to it, or valid for too long. Check your clock; use now plus maxTimeoutSeconds.",
  invalid_exact_evm_payload_authorization_valid_after: "Not valid yet. Check your clock; 0 is fine.",
  invalid_exact_evm_nonce_already_used:
    "The authorization was already executed. Look at your wallet before signing again.",
  invalid_exact_evm_insufficient_balance: "The payer has not enough USDC on Base.",
  invalid_exact_evm_missing_eip712_domain:
    "extra.name and extra.version of the challenge are needed to sign.",
  invalid_exact_evm_eip3009_not_supported: "The asset does not take EIP-3009.",
  invalid_exact_evm_transaction_simulation_failed:
    "USDC would refuse this transfer: balance, blacklist, or signature.",
  invalid_exact_evm_transaction_failed: "The transfer failed on chain. Nothing moved.",
  invalid_exact_evm_transfer_event_mismatch: "The transaction moved something else than the terms say.",
  invalid_exact_evm_gas_limit_exceeded: "A contract wallet's signature check takes too much gas.",
  invalid_exact_svm_payload_transaction_could_not_be_decoded: "payload.transaction is no Solana transaction.",
  invalid_exact_svm_payload_signature_invalid: "The payer's signature is missing or wrong.",
  invalid_exact_svm_payload_excessive_signers: "Only the fee payer and the payer may sign.",
  invalid_exact_svm_payload_missing_fee_payer: "extra.feePayer of the challenge is needed.",
  invalid_exact_svm_fee_payer_mismatch: "The first account must be extra.feePayer of the challenge.",
  invalid_exact_svm_fee_payer_not_managed_by_facilitator:
    "The first account is no fee payer of this service any more. Sign again for a new challenge.",
  invalid_exact_svm_payload_no_transfer_instruction:
    "The third instruction must be TransferChecked of SPL Token.",
  invalid_exact_svm_payload_mint_mismatch: "The mint must be USDC.",
  invalid_exact_svm_payload_recipient_mismatch:
    "The destination must be the associated USDC account of payTo.",
  invalid_exact_svm_payload_source_mismatch:
    "The money must come from an account of the signer's own, and the signer must not be payTo.",
  invalid_exact_svm_payload_amount_mismatch: "The transfer must be of the amount in the challenge.",
  invalid_exact_svm_payload_memo_count: "The terms want exactly one memo.",
  invalid_exact_svm_payload_memo_mismatch: "The memo must be extra.memo of the terms.",
  invalid_exact_svm_smart_wallet_fee_payer_not_isolated: "No instruction may name the fee payer.",
  invalid_exact_svm_smart_wallet_alt_resolution_not_available: "Lookup tables are not taken.",
  invalid_exact_svm_blockhash_expired:
    "The blockhash is too old: it lives for half a minute. Sign again with a new one.",
  invalid_exact_svm_transaction_simulation_failed:
    "The chain would not execute this transfer now: balance, accounts, or, where a facilitator settles, an old blockhash.",
  invalid_exact_svm_verification_failed: "The facilitator could not check the transfer. Nothing was charged.",
  invalid_exact_svm_transaction_failed: "The transfer would fail, or failed, on chain: balance or accounts.",
  unexpected_verify_error: "The facilitator could not check the payment. Nothing was charged.",
  unexpected_settle_error: "The facilitator refused to settle. Nothing was charged."
}

/** Codes that begin like this say what is wrong with the layout of a Solana transaction. */
export const REFUSAL_FAMILIES: Readonly<Record<string, string>> = {
  invalid_exact_svm_payload_transaction:
    "The transaction's layout: compute limit, compute price, transfer, then at most four memos or Lighthouse assertions, within the caps."
}
