/** A local Solana: a JSON-RPC node over litesvm with USDC, pools and tokens of every kind. */
import type { Address, KeyPairSigner } from "@solana/kit"
import { address } from "@solana/kit"
import type { Scope } from "effect"
import { Effect } from "effect"
import { KNOWN_PAYERS } from "../../../src/screening/solana/simulation/payers.ts"
import { solanaSecretKey, solanaSigner } from "../accounts.ts"
import type { HttpFaults } from "../json-server.ts"
import { serveJson } from "../json-server.ts"
import * as at from "./addresses.ts"
import { makeSolanaClock } from "./clock.ts"
import type { Ledger, SolanaFaults } from "./ledger.ts"
import { makeLedger } from "./ledger.ts"
import type { Place } from "./place.ts"
import { associatedTokenAccount, makePlace } from "./place.ts"
import type { PlacedPool } from "./pools.ts"
import { placeCpmmPool, placePumpSwapPool } from "./pools.ts"
import type { PoolPlan } from "./pools.ts"
import { rpcMethods } from "./rpc-methods.ts"
import { methodsIn } from "../rpc-proxy.ts"
import { handleRpc } from "./rpc-protocol.ts"
import { readMint, readTokenAccount } from "./token-balance.ts"
import type { SolanaTokens } from "./tokens.ts"
import { placeSolanaMoney, placeSolanaTokens } from "./tokens.ts"

export interface SolanaAccounts {
  readonly payer: KeyPairSigner
  readonly merchant: KeyPairSigner
  /** A second seller, for checkouts. */
  readonly shop: KeyPairSigner
  readonly feePayer: KeyPairSigner
  /** base58 of 64 bytes, for `SOLANA_FEE_PAYER_PRIVATE_KEY`. */
  readonly feePayerSecret: string
}

export interface SolanaChain {
  readonly url: string
  readonly ledger: Ledger
  readonly accounts: SolanaAccounts
  readonly tokens: SolanaTokens
  /** The SOL/USDC pool. */
  readonly referencePool: PlacedPool
  readonly place: Place
  readonly placePumpSwapPool: (plan: PoolPlan) => Promise<PlacedPool>
  readonly placeCpmmPool: (plan: PoolPlan) => Promise<PlacedPool>
  /** Landing delays, silent drops and refused methods. */
  readonly faults: SolanaFaults
  /** Faults of the HTTP server, for all methods alike. */
  readonly httpFaults: HttpFaults
  /** Requests since the start, by method. */
  readonly requests: ReadonlyMap<string, number>
  /** Smallest units (6 decimals) in the account's associated token account; 0 without one. */
  readonly usdcBalance: (owner: Address) => Effect.Effect<bigint>
  readonly mint: (address: Address) => ReturnType<typeof readMint>
}

export interface SolanaOptions {
  /** TCP port on 127.0.0.1; a free one when absent. */
  readonly port?: number
  /** Milliseconds until a sent transaction lands; 0 by default. */
  readonly confirmMs?: number
}

const LAMPORTS = 1_000_000_000n

const makeAccounts = async (): Promise<SolanaAccounts> => ({
  payer: await solanaSigner("payer"),
  merchant: await solanaSigner("merchant"),
  shop: await solanaSigner("shop"),
  feePayer: await solanaSigner("fee payer"),
  feePayerSecret: await solanaSecretKey("fee payer")
})

const placePeople = async (place: Place, accounts: SolanaAccounts): Promise<void> => {
  const { feePayer, merchant, payer, shop } = accounts
  const none = new Uint8Array()
  place.account(feePayer.address, { owner: at.SYSTEM_PROGRAM, data: none, lamports: 100n * LAMPORTS })
  place.account(payer.address, { owner: at.SYSTEM_PROGRAM, data: none, lamports: 10n * LAMPORTS })
  await place.tokenAccount({ mint: at.USDC_MINT, owner: payer.address, amount: 1_000n * 10n ** 6n })
  // Whoever pays for simulated trades on the real chain is rich here too.
  for (const known of KNOWN_PAYERS.slice(0, 1)) {
    const owner = address(known)
    place.account(owner, { owner: at.SYSTEM_PROGRAM, data: none, lamports: 100_000n * LAMPORTS })
    await place.tokenAccount({ mint: at.USDC_MINT, owner, amount: 10n ** 12n })
  }
  for (const { address: owner } of [merchant, shop]) {
    await place.tokenAccount({ mint: at.USDC_MINT, owner, amount: 0n })
  }
}

/** Starts the chain on a free port; everything is in place when it returns. */
export const startSolanaChain = (
  options: SolanaOptions = {}
): Effect.Effect<SolanaChain, never, Scope.Scope> =>
  Effect.gen(function* () {
    const ledger = yield* Effect.acquireRelease(
      Effect.sync(() => makeLedger(makeSolanaClock())),
      ({ close }) => Effect.sync(close)
    )
    ledger.faults.confirmMs = options.confirmMs ?? 0
    const place = makePlace(ledger.svm)
    const accounts = yield* Effect.promise(makeAccounts)
    const referencePool = yield* Effect.promise(() => placeSolanaMoney(place))
    yield* Effect.promise(() => placePeople(place, accounts))
    const tokens = yield* Effect.promise(() => placeSolanaTokens(place))
    const requests = new Map<string, number>()
    const methods = rpcMethods(ledger)
    const server = yield* serveJson(
      ({ body }) => ({
        status: 200,
        body: handleRpc({ methods, requests, faults: ledger.faults }, body),
        fault: methodsIn(body).some((name) => ledger.faults.lostReplies.has(name)) ? "reset" : "none"
      }),
      options.port === undefined ? {} : { port: options.port }
    )
    return {
      url: server.url,
      ledger,
      accounts,
      tokens,
      referencePool,
      place,
      placePumpSwapPool: (plan) => placePumpSwapPool(place, plan),
      placeCpmmPool: (plan) => placeCpmmPool(place, plan),
      faults: ledger.faults,
      httpFaults: server.faults,
      requests,
      usdcBalance: (owner) =>
        Effect.promise(async () => {
          const account = associatedTokenAccount(at.USDC_MINT, owner)
          return readTokenAccount(ledger.svm, account)?.amount ?? 0n
        }),
      mint: (address) => readMint(ledger.svm, address)
    }
  })
