import { getBase58Encoder } from "@solana/kit"
import { expect, it } from "@effect/vitest"
import { ConfigProvider, Effect, Layer } from "effect"
import { solanaAddress } from "../../scripts/sandbox/accounts.ts"
import { ChainRpc } from "../../src/chain/chain-rpc.ts"
import { ChainRpcLive } from "../../src/chain/chain-rpc-live.ts"
import { MerchantAccounts, MerchantAccountsLive } from "../../src/checkout/merchant-account.ts"
import { SolanaAddress } from "../../src/domain/address.ts"
import { SOLANA_NETWORK } from "../../src/domain/chain.ts"
import { SOLANA_PROGRAMS } from "../../src/domain/solana-programs.ts"

const MERCHANT = solanaAddress("merchant")

/** A chain on which the merchant's token account belongs to this owner. */
const ownedBy = (owner: string) => {
  const data = Buffer.alloc(165)
  data.set(getBase58Encoder().encode(owner), 32)
  data[108] = 1
  const tokens = { owner: SolanaAddress.make(SOLANA_PROGRAMS.token), lamports: 1n, data, space: 165 }
  const chain = Layer.effect(
    ChainRpc,
    Effect.map(ChainRpc, ({ base, solana }) => ({
      base,
      solana: { ...solana, getAccounts: () => Effect.succeed({ slot: 1n, accounts: [null, tokens] }) }
    }))
  )
  return MerchantAccountsLive.pipe(
    Layer.provide(chain),
    Layer.provide(ChainRpcLive),
    Layer.provide(Layer.setConfigProvider(ConfigProvider.fromMap(new Map())))
  )
}

const stateWhere = (owner: string) =>
  Effect.flatMap(MerchantAccounts, ({ check }) => check(SOLANA_NETWORK, MERCHANT)).pipe(
    Effect.provide(ownedBy(owner))
  )

it.effect("a token account that its wallet gave away is nobody's to be paid to", () =>
  Effect.gen(function* () {
    expect(yield* stateWhere(MERCHANT)).toBe("ready")
    expect(yield* stateWhere(solanaAddress("thief"))).toBe("given-away")
  })
)
