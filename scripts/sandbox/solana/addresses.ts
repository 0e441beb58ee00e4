/** Programs and accounts of Solana mainnet that the sandbox imitates. */
import { address } from "@solana/kit"
import { SOLANA_USDC } from "../../../src/domain/chain.ts"
import { SOLANA_PROGRAMS } from "../../../src/domain/solana-programs.ts"

export const USDC_MINT = address(SOLANA_USDC)
export const WSOL_MINT = address("So11111111111111111111111111111111111111112")
export const TOKEN_PROGRAM = address(SOLANA_PROGRAMS.token)
export const TOKEN_2022_PROGRAM = address(SOLANA_PROGRAMS.token2022)
export const ATA_PROGRAM = address(SOLANA_PROGRAMS.associatedToken)
export const SYSTEM_PROGRAM = address(SOLANA_PROGRAMS.system)
export const METADATA_PROGRAM = address("metaqbxxUerdq28cj1RbAWkYQm3ybzjb6a8bt518x1s")
export const PUMP_PROGRAM = address("6EF8rrecthR5Dkzon8Nwu78hRvfCKubJ14M5uBEwF6P")
export const PUMP_SWAP_PROGRAM = address("pAMMBay6oceH9fJKBRHGP5D4bD4sWpmSwMn52FMfXEA")
export const CPMM_PROGRAM = address("CPMMoo8L3F4NbTegBCKVNunggL7H1ZpdTHKxQB5qKP1C")
export const CPMM_AUTHORITY = address("GpMZbSM2GgvTKHJirzeGfMFoaZ8UR2X7F4v8vHTvxFbL")
/** Raydium CPMM's 0.25 % fee tier. */
export const CPMM_CONFIG = address("D4FPEruKEHrG5TenZ2mpDGEfu1iUvTiqBxvpU8HLBvC2")
export const USDC_MINT_AUTHORITY = address("BJE5MMbqXjVwjAF7oxwPYXnTXDyspzZyt4vwenNw5ruG")
export const USDC_FREEZE_AUTHORITY = address("7dGbd2QZcCKcTndnHcTL8q7SMVXAkp688NTQYwrRCrar")
export const MAINNET_GENESIS_HASH = "5eykt4UsFv8P8NJdTREpY1vzqKqZKvdpKuc147dw2N9d"
