/** litesvm's errors in the JSON a Solana node answers with. */
import type { FailedTransactionMetadata } from "litesvm"

export type TransactionErrorJson = string | Readonly<Record<string, unknown>>

// Orders of the two enums in litesvm 1.5.0's `internal.d.ts`; only errors that reach a client by name are spelled out.
const TRANSACTION_ERRORS = [
  "AccountInUse AccountLoadedTwice AccountNotFound ProgramAccountNotFound InsufficientFundsForFee",
  "InvalidAccountForFee AlreadyProcessed BlockhashNotFound CallChainTooDeep MissingSignatureForFee",
  "InvalidAccountIndex SignatureFailure InvalidProgramForExecution SanitizeFailure ClusterMaintenance",
  "AccountBorrowOutstanding WouldExceedMaxBlockCostLimit UnsupportedVersion InvalidWritableAccount",
  "WouldExceedMaxAccountCostLimit WouldExceedAccountDataBlockLimit TooManyAccountLocks",
  "AddressLookupTableNotFound InvalidAddressLookupTableOwner InvalidAddressLookupTableData",
  "InvalidAddressLookupTableIndex InvalidRentPayingAccount WouldExceedMaxVoteCostLimit",
  "WouldExceedAccountDataTotalLimit MaxLoadedAccountsDataSizeExceeded ResanitizationNeeded",
  "InvalidLoadedAccountsDataSizeLimit UnbalancedTransaction ProgramCacheHitMaxLimit CommitCancelled"
]
  .join(" ")
  .split(" ")

const INSTRUCTION_ERRORS = [
  "GenericError InvalidArgument InvalidInstructionData InvalidAccountData AccountDataTooSmall InsufficientFunds",
  "IncorrectProgramId MissingRequiredSignature AccountAlreadyInitialized UninitializedAccount",
  "UnbalancedInstruction ModifiedProgramId ExternalAccountLamportSpend ExternalAccountDataModified",
  "ReadonlyLamportChange ReadonlyDataModified DuplicateAccountIndex ExecutableModified RentEpochModified",
  "NotEnoughAccountKeys AccountDataSizeChanged AccountNotExecutable AccountBorrowFailed",
  "AccountBorrowOutstanding DuplicateAccountOutOfSync InvalidError ExecutableDataModified",
  "ExecutableLamportChange ExecutableAccountNotRentExempt UnsupportedProgramId CallDepth MissingAccount",
  "ReentrancyNotAllowed MaxSeedLengthExceeded InvalidSeeds InvalidRealloc ComputationalBudgetExceeded",
  "PrivilegeEscalation ProgramEnvironmentSetupFailure ProgramFailedToComplete ProgramFailedToCompile",
  "Immutable IncorrectAuthority AccountNotRentExempt InvalidAccountOwner ArithmeticOverflow",
  "UnsupportedSysvar IllegalOwner MaxAccountsDataAllocationsExceeded MaxAccountsExceeded",
  "MaxInstructionTraceLengthExceeded BuiltinProgramsMustConsumeComputeUnits BorshIoError"
]
  .join(" ")
  .split(" ")

const instructionError = (error: unknown): TransactionErrorJson => {
  if (typeof error === "number") return INSTRUCTION_ERRORS[error] ?? "GenericError"
  if (typeof error === "object" && error !== null && "code" in error) return { Custom: error.code }
  return "BorshIoError"
}

export const transactionErrorJson = (failed: FailedTransactionMetadata): TransactionErrorJson => {
  const error = failed.err()
  if (typeof error === "number") return TRANSACTION_ERRORS[error] ?? "SanitizeFailure"
  if ("err" in error) return { InstructionError: [error.index, instructionError(error.err())] }
  if ("index" in error) return { DuplicateInstruction: error.index }
  return { InsufficientFundsForRent: { account_index: error.accountIndex } }
}

/** A failed program leaves a transaction on chain that paid its fee; every other error leaves nothing. */
export const isRecordedOnChain = (error: TransactionErrorJson | null): boolean =>
  error === null || typeof error !== "string"
