import { expect, layer } from "@effect/vitest"
import { Effect, Redacted } from "effect"
import { concat, encodeAbiParameters, parseAbiParameters } from "viem"
import { makeBaseRpcWith } from "../../../src/chain/base-rpc.ts"
import type { BaseRpc } from "../../../src/chain/chain-rpc.ts"
import { UpstreamError } from "../../../src/domain/errors.ts"
import { missing } from "../../../src/domain/fact.ts"
import { undecidedFindings } from "../../../src/screening/base/power/analyse.ts"
import { lower } from "../../../src/screening/base/addresses.ts"
import { lockerList } from "../../../src/screening/base/pools/lp-lock.ts"
import type { BasePlanParts } from "../../../src/screening/base/plan.ts"
import { readBeacon } from "../../../src/screening/base/power/proxy.ts"
import { ownArtifact } from "../../../scripts/sandbox/artifacts.ts"
import { sandboxToken, usdc, v2Router } from "../../../scripts/sandbox/base/abi.ts"
import { USDC, V2_ROUTER, WETH } from "../../../scripts/sandbox/base/addresses.ts"
import { pair } from "../../support/base/fixtures.ts"
import { SandboxWorld, refOf, screen, stateOf } from "../../support/base/sandbox-world.ts"
import { heldBack } from "../../support/base/waves.ts"

/** Name, symbol and supply. */
const BORN = parseAbiParameters("string, string, uint256")

const rpcDown = new UpstreamError({ upstream: "base-rpc", kind: "transport", detail: "refused" })
const marketDown = new UpstreamError({ upstream: "dexscreener", kind: "timeout", detail: "no answer" })

layer(SandboxWorld.layer, { excludeTestServices: true, timeout: "2 minutes" })(
  "a token on a local Base chain",
  (it) => {
    it.effect("is allowed when its LP is burned, its owner is nobody and everything was read", () =>
      Effect.gen(function* () {
        const { parts, tokens } = yield* SandboxWorld
        const { screening, assessment } = yield* screen(parts, tokens.clean.address)
        expect(screening).toMatchObject({ mintAuthorityOff: true, lpLocked: true, pairs: 1 })
        expect(assessment).toMatchObject({ verdict: "allow", safe: true })
        expect(assessment.score).toBeLessThan(35)
        expect(screening.priceUsd).toBeGreaterThan(0)
        expect(screening.liquidityUsd).toBeGreaterThan(1000)
      })
    )

    it.effect("is answered in two waves of reads, trades and lives among them, cold and deep", () =>
      Effect.gen(function* () {
        const { parts, tokens, url } = yield* SandboxWorld
        const { asked, fetch } = heldBack()
        const rpc = yield* makeBaseRpcWith({
          urls: [Redacted.make(url)],
          timeout: "20 seconds",
          concurrency: 32,
          fetch
        })
        yield* screen({ ...parts, rpc }, tokens.clean.address)
        expect(asked()).toHaveLength(2)
      })
    )

    it.effect("is never allowed while its owner can mint, and says so", () =>
      Effect.gen(function* () {
        const { parts, tokens } = yield* SandboxWorld
        const { screening, assessment } = yield* screen(parts, tokens.mintable.address)
        expect(screening.mintAuthorityOff).toBe(false)
        expect(assessment.verdict).not.toBe("allow")
        expect(assessment.safe).toBe(false)
        expect(assessment.reasons.map(({ code }) => code)).toContain("MINT_POWER")
      })
    )

    it.effect(
      "is neither allowed nor avoided where all its money stands in an exchange that we cannot read",
      () =>
        Effect.gen(function* () {
          const { accounts, devnet, parts } = yield* SandboxWorld
          const market = lower(`0x${"c7".repeat(20)}`)
          const token = yield* Effect.promise(async () => {
            const init = concat([
              ownArtifact("PlainToken").bytecode,
              encodeAbiParameters(BORN, ["C", "C", 10n ** 24n])
            ])
            const coin = await devnet.deploy(accounts.deployer.address, init)
            await devnet.write(accounts.deployer.address, USDC, usdc, "mint", [market, 40_000n * 10n ** 6n])
            return coin
          })
          const listed = pair({
            dexId: "curve",
            pairAddress: market,
            quoteAddress: lower(USDC),
            liquidityUsd: 80_000
          })
          const { assessment, screening } = yield* screen(
            { ...parts, pairs: () => Effect.succeed([listed]) },
            token
          )
          expect(assessment).toMatchObject({ verdict: "caution", safe: null })
          expect(stateOf(screening.signals, "NO_TRUSTED_LIQUIDITY")).toBe("unknown")
        })
    )

    it.effect("is avoided when nobody can sell", () =>
      Effect.gen(function* () {
        const { parts, tokens } = yield* SandboxWorld
        const { screening, assessment } = yield* screen(parts, tokens.honeypot.address)
        expect(stateOf(screening.signals, "HONEYPOT")).toBe("fail")
        expect(assessment).toMatchObject({ verdict: "avoid", safe: false })
      })
    )

    it.effect("shows the tax it charges", () =>
      Effect.gen(function* () {
        const { parts, tokens } = yield* SandboxWorld
        const { screening, assessment } = yield* screen(parts, tokens.fee.address)
        expect(stateOf(screening.signals, "SELL_TAX")).toBe("fail")
        expect(assessment.verdict).not.toBe("allow")
      })
    )

    it.effect("is at most caution while its deployer holds the LP", () =>
      Effect.gen(function* () {
        const { parts, tokens } = yield* SandboxWorld
        const { screening, assessment } = yield* screen(parts, tokens.unlocked.address)
        expect(screening.lpLocked).toBe(false)
        expect(assessment).toMatchObject({ verdict: "caution", safe: false })
      })
    )

    it.effect("is allowed when its V3 position belongs to a contract that provably cannot take it out", () =>
      Effect.gen(function* () {
        const { parts, tokens } = yield* SandboxWorld
        const { screening, assessment } = yield* screen(parts, tokens.concentrated.address)
        expect(screening.lpLocked).toBe(true)
        expect(screening.priceUsd).toBeGreaterThan(0)
        expect(assessment).toMatchObject({ verdict: "allow", safe: true })
      })
    )

    it.effect("is unknown when it trades nowhere, also when it is no contract at all", () =>
      Effect.gen(function* () {
        const { parts, tokens, accounts } = yield* SandboxWorld
        const unlisted = yield* Effect.flip(screen(parts, tokens.unlisted.address))
        const account = yield* Effect.flip(screen(parts, accounts.trader.address))
        expect([unlisted._tag, account._tag]).toEqual(["UnknownToken", "UnknownToken"])
      })
    )

    it.effect("is avoided when market data lists pairs for an address without code", () =>
      Effect.gen(function* () {
        const { parts, tokens, accounts } = yield* SandboxWorld
        const listed = { ...parts, pairs: () => parts.pairs(refOf(tokens.clean.address)) }
        const { assessment } = yield* screen(listed, accounts.trader.address)
        expect(assessment.verdict).toBe("avoid")
        expect(assessment.reasons[0]?.code).toBe("NOT_A_CONTRACT")
      })
    )

    it.effect("is never safe and never allowed when one source is taken away", () =>
      Effect.gen(function* () {
        const { parts, tokens } = yield* SandboxWorld
        const without: ReadonlyArray<BasePlanParts> = [
          { ...parts, pairs: () => Effect.fail(marketDown) },
          { ...parts, simulate: () => Effect.succeed(missing("taken away")) },
          {
            ...parts,
            analyser: { ...parts.analyser, findings: () => Effect.succeed(undecidedFindings("taken away")) }
          }
        ]
        for (const less of without) {
          const { assessment } = yield* screen(less, tokens.clean.address)
          expect(assessment).toMatchObject({ verdict: "caution", safe: null })
        }
      })
    )

    it.effect("cannot be screened when the chain does not answer, in either wave", () =>
      Effect.gen(function* () {
        const { parts, tokens } = yield* SandboxWorld
        let reads = 0
        const secondFails: BaseRpc = {
          ...parts.rpc,
          readAll: (calls, options) =>
            Effect.suspend(() => (reads++ === 0 ? parts.rpc.readAll(calls, options) : Effect.fail(rpcDown)))
        }
        const dead: BaseRpc = { ...parts.rpc, readAll: () => Effect.fail(rpcDown) }
        for (const rpc of [secondFails, dead]) {
          const error = yield* Effect.flip(screen({ ...parts, rpc }, tokens.clean.address))
          expect(error).toMatchObject({ _tag: "ScreeningUnavailable", upstream: "base-rpc" })
        }
      })
    )

    it.effect("cannot be screened when no pool is found and market data did not answer", () =>
      Effect.gen(function* () {
        const { parts, tokens } = yield* SandboxWorld
        const blind = { ...parts, pairs: () => Effect.fail(marketDown) }
        const error = yield* Effect.flip(screen(blind, tokens.unlisted.address))
        expect(error).toMatchObject({ _tag: "ScreeningUnavailable", upstream: "dexscreener" })
      })
    )

    it.effect("counts LP in a locker as locked only when the operator vouches for it", () =>
      Effect.gen(function* () {
        const { parts, tokens, accounts } = yield* SandboxWorld
        const locker = refOf(accounts.deployer.address).address
        const vouched = yield* screen({ ...parts, lockers: lockerList([locker]) }, tokens.unlocked.address)
        expect(vouched.screening.lpLocked).toBe(true)
      })
    )

    /** As the token was before: who is blocked can buy nothing, also where the test is tried again. */
    const unblocked = Effect.flatMap(SandboxWorld, ({ accounts, devnet, tokens }) =>
      Effect.promise(() =>
        devnet.write(accounts.deployer.address, tokens.blacklist.address, sandboxToken, "blacklist", [
          accounts.trader.address,
          false
        ])
      )
    )

    it.effect("is caught blocking its buyers one by one, through the buyers its pools name", () =>
      Effect.gen(function* () {
        const { parts, tokens, devnet, accounts } = yield* SandboxWorld
        const [token, buyer, owner] = [
          tokens.blacklist.address,
          accounts.trader.address,
          accounts.deployer.address
        ]
        yield* Effect.promise(() =>
          devnet.write(
            buyer,
            V2_ROUTER,
            v2Router,
            "swapExactETHForTokensSupportingFeeOnTransferTokens",
            [0n, [WETH, token], buyer, 2n ** 64n],
            10n ** 16n
          )
        )
        const before = yield* screen(parts, token)
        expect(stateOf(before.screening.signals, "HOLDERS_BLOCKED")).toBe("pass")
        yield* Effect.promise(() => devnet.write(owner, token, sandboxToken, "blacklist", [buyer, true]))
        const { screening, assessment } = yield* screen(parts, token)
        expect(stateOf(screening.signals, "HONEYPOT")).toBe("pass")
        expect(stateOf(screening.signals, "HOLDERS_BLOCKED")).toBe("fail")
        expect(assessment.verdict).toBe("avoid")
      }).pipe(Effect.ensuring(unblocked))
    )

    it.effect("behind a beacon is read with its implementation in one call", () =>
      Effect.gen(function* () {
        const { parts, tokens, devnet } = yield* SandboxWorld
        const beacon = "0x00000000000000000000000000000000000bea00"
        // PUSH20 implementation; PUSH0; MSTORE; PUSH1 32; PUSH0; RETURN
        yield* Effect.promise(() =>
          devnet.setCode(beacon, `0x73${tokens.clean.address.slice(2)}5f5260205ff3`)
        )
        const block = yield* parts.rpc.blockNumber
        const found = yield* readBeacon(parts.rpc, beacon, block)
        const [account] = yield* parts.rpc.inspect([{ address: tokens.clean.address }])
        expect(found).toEqual({ implementation: tokens.clean.address.toLowerCase(), code: account?.code })
        expect(yield* readBeacon(parts.rpc, refOf(tokens.clean.address).address, block)).toBeUndefined()
      })
    )

    it.effect("finds the same where nothing of a token's storage can be looked at early", () =>
      Effect.gen(function* () {
        const { parts, tokens } = yield* SandboxWorld
        const blockless: BaseRpc["inspect"] = (accounts, options) =>
          Effect.map(parts.rpc.inspect(accounts, options), (found) =>
            found.map(({ code, slots }) => ({ code, slots }))
          )
        const late = { ...parts, rpc: { ...parts.rpc, inspect: blockless } }
        for (const { address } of Object.values(tokens)) {
          const states = (of: typeof parts) =>
            Effect.either(
              Effect.map(screen(of, address), ({ screening }) =>
                screening.signals.map(({ id, state }) => `${id} ${state}`)
              )
            )
          expect(yield* states(parts)).toEqual(yield* states(late))
        }
      })
    )

    it.effect("answers a ping with the same facts", () =>
      Effect.gen(function* () {
        const { parts, tokens } = yield* SandboxWorld
        const { assessment } = yield* screen(parts, tokens.clean.address)
        expect(assessment.safe).toBe(true)
      })
    )
  }
)
