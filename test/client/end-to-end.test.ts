import { expect } from "@effect/vitest"
import { Effect, Either } from "effect"
import {
  combineWallets,
  createTokenRiskClient,
  evmWallet,
  PolicyRefusal,
  solanaWallet,
  verifyReport,
  defaultPolicy
} from "../../src/client/index.ts"
import { BASE_NETWORK, SOLANA_NETWORK } from "../../src/domain/chain.ts"
import { againstService, RunningService } from "../support/service.ts"

const attempt = <A>(run: () => Promise<A>) =>
  Effect.either(Effect.tryPromise({ try: run, catch: (error) => error }))

againstService("the client, against the running service", (it) => {
  it.effect("screens a token of each chain, paid on Base by a viem account, on Solana by a kit signer", () =>
    Effect.gen(function* () {
      const { sandbox, service } = yield* RunningService
      const { base, solana } = sandbox
      const wallet = combineWallets(
        evmWallet(base.accounts.payer),
        solanaWallet(solana.accounts.payer, solana.url)
      )
      const payers = [
        { network: BASE_NETWORK, chain: "base", address: base.tokens.clean.address },
        { network: SOLANA_NETWORK, chain: "solana", address: solana.tokens.clean.address }
      ] as const
      for (const { address, chain, network } of payers) {
        const policy = { ...defaultPolicy, networks: [network] }
        const client = yield* Effect.promise(() =>
          createTokenRiskClient({ baseUrl: service.url, wallet, policy })
        )
        const { deep, ping, tradable, why } = yield* Effect.promise(() => client.screen(chain, address, 250))
        expect({ tradable, why }).toEqual({ tradable: true, why: "passed" })
        expect(ping.receipt).toMatchObject({ success: true, network })
        expect(deep?.receipt).toMatchObject({ success: true, network })
        expect(yield* Effect.promise(() => client.spent())).toBe(45_000n)
      }
    })
  )

  it.effect("takes a free call without a wallet; its text verifies offline, and not after a change", () =>
    Effect.gen(function* () {
      const { sandbox, service } = yield* RunningService
      const client = yield* Effect.promise(() =>
        createTokenRiskClient({ baseUrl: service.url, wallet: combineWallets(), clientId: "facade" })
      )
      const { body, receipt } = yield* Effect.promise(() =>
        client.deep("base", sandbox.base.tokens.honeypot.address)
      )
      expect(receipt).toBeNull()
      const jwks = yield* Effect.promise(async () =>
        (await fetch(`${service.url}/.well-known/jwks.json`)).json()
      )
      const genuine = yield* Effect.promise(() => verifyReport(JSON.parse(body), jwks))
      expect(genuine.verdict).toBe("avoid")
      const forged: unknown = JSON.parse(body.replace('"verdict":"avoid"', '"verdict":"allow"'))
      yield* Effect.promise(() => expect(verifyReport(forged, jwks)).rejects.toThrow("digest"))
    })
  )

  it.effect("rejects with the typed refusal when the policy forbids the price, and signs nothing", () =>
    Effect.gen(function* () {
      const { sandbox, service } = yield* RunningService
      const { base } = sandbox
      const before = yield* base.usdcBalance(base.accounts.payer.address)
      const client = yield* Effect.promise(() =>
        createTokenRiskClient({
          baseUrl: service.url,
          wallet: evmWallet(base.accounts.payer),
          policy: { ...defaultPolicy, maxPerCall: 4_999n }
        })
      )
      const result = yield* attempt(() => client.ping("base", base.tokens.clean.address))
      expect(Either.isLeft(result) && result.left).toBeInstanceOf(PolicyRefusal)
      expect(yield* base.usdcBalance(base.accounts.payer.address)).toBe(before)
    })
  )
})
