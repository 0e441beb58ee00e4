import { getBase58Decoder } from "@solana/kit"
import { Effect } from "effect"
import type { SolanaRpc } from "../../chain/chain-rpc.ts"
import type { SolanaTokenChange, SolanaTransaction } from "../../chain/solana-history.ts"
import { isSolanaAddress } from "../../domain/address.ts"
import type { SolanaAddress } from "../../domain/address.ts"
import { SOLANA_USDC } from "../../domain/chain.ts"
import { UpstreamError } from "../../domain/errors.ts"

/** USDC each owner gained in a transaction, in smallest units; below zero where it was paid. */
export type UsdcMoves = ReadonlyMap<string, bigint>

/** Where the owner stands in an SPL token account. Source: spl-token `Account`. */
const OWNER = { offset: 32, length: 32 }
const base58 = getBase58Decoder()

const unknown = new UpstreamError({
  upstream: "solana-rpc",
  kind: "rejected",
  detail: "a token balance without an owner"
})

/** Whose a token account is now: it cannot have been somebody else's unless it was given away. */
const makeOwnersOf = ({ getAccounts }: Pick<SolanaRpc, "getAccounts">) =>
  Effect.fnUntraced(function* (tokens: ReadonlyArray<SolanaAddress>) {
    if (tokens.length === 0) return new Map<string, string>()
    const { accounts } = yield* getAccounts(tokens, { slice: OWNER })
    const owners = accounts.map((account) =>
      account?.data.length === OWNER.length ? base58.decode(account.data) : undefined
    )
    return new Map(tokens.flatMap((token, at) => (owners[at] === undefined ? [] : [[token, owners[at]]])))
  })

const isUsdc = ({ mint }: SolanaTokenChange): boolean => mint === SOLANA_USDC

/**
 * Who gained and who paid USDC. A balance whose owner the node does not name is looked up; where that fails the moves
 * are unknown, never less than they were.
 */
export const makeUsdcMoves = (rpc: Pick<SolanaRpc, "getAccounts">) => {
  const ownersOf = makeOwnersOf(rpc)
  return Effect.fn("UsdcMoves.of")(function* ({ changes }: SolanaTransaction) {
    const own = changes.filter(isUsdc)
    const nameless = own.flatMap(({ account, owner }) =>
      owner === null && isSolanaAddress(account) ? [account] : []
    )
    const found = yield* ownersOf(nameless)
    const moves = new Map<string, bigint>()
    for (const { account, after, before, owner: named } of own) {
      const owner = named ?? found.get(account)
      if (owner === undefined) return yield* unknown
      moves.set(owner, (moves.get(owner) ?? 0n) + after - before)
    }
    return moves satisfies UsdcMoves
  })
}
