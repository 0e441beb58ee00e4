import { describe, expect, it } from "@effect/vitest"
import { Effect } from "effect"
import { type Address, type Hex, concat, numberToHex, pad } from "viem"
import type { BaseRpc } from "../../../../src/chain/chain-rpc.ts"
import { PRODUCT_ROUTERS } from "../../../../src/domain/base-contracts.ts"
import { NO_HISTORY } from "../../../../src/screening/base/holders/history.ts"
import { findHolders } from "../../../../src/screening/base/holders/holders.ts"
import { NOTHING_LATER, POOL, TOKEN } from "../../../support/base/fixtures.ts"
import { rpcOf } from "../../../support/base/rpc-of.ts"

const ROUTER: Address = PRODUCT_ROUTERS.uniswap
const STRANGER: Address = `0x${"57".repeat(20)}`
const MAKER: Address = `0x${"3a".repeat(20)}`
const BIRTH: Hex = `0x${"b1".repeat(32)}`
const FILLED: Hex = `0x${"ff".repeat(32)}`
const RICH = 10n ** 24n

/** A node that serves balances and a birth that names some accounts; `asked` hears of whom each batch asks. */
const node = (
  named: ReadonlyArray<Address>,
  rich: Address,
  silent: Address | null,
  asked: (accounts: ReadonlyArray<string>) => void
): BaseRpc =>
  rpcOf(
    {
      readAll: (reads) =>
        Effect.sync(() => {
          const accounts = reads.map((read) => ("data" in read ? `0x${read.data.slice(-40)}` : "0x"))
          asked(accounts)
          return {
            blockNumber: 1n,
            blockTime: 1n,
            results: accounts.map((account) =>
              account === silent
                ? { ok: false, data: "0x" as const }
                : { ok: true, data: numberToHex(account === rich ? RICH : 0n, { size: 32 }) }
            )
          }
        })
    },
    ({ method }) =>
      method === "eth_getTransactionByHash"
        ? Promise.resolve({
            hash: BIRTH,
            from: MAKER,
            input: concat([FILLED, ...named.map((one) => pad(one, { size: 32 })), FILLED])
          })
        : Promise.reject(new Error("not served"))
  )

const found = (named: ReadonlyArray<Address>, rich: Address, silent: Address | null = null) =>
  Effect.gen(function* () {
    const batches: Array<ReadonlyArray<string>> = []
    const rpc = node(named, rich, silent, (accounts) => void batches.push(accounts))
    const holders = yield* findHolders(rpc, {
      token: TOKEN,
      blockNumber: 1n,
      code: "0x",
      history: { ...NO_HISTORY, birth: BIRTH },
      spent: null,
      suspects: [MAKER],
      pools: [POOL],
      lockers: [],
      now: 1n,
      tell: () => Effect.void,
      later: Effect.succeed(NOTHING_LATER)
    })
    return { holders, batches: batches.map((accounts) => accounts.filter((one) => one.length === 42)) }
  })

describe("what an account holds that was asked ahead", () => {
  it.effect("counts where the birth names it, and is not asked again", () =>
    Effect.gen(function* () {
      const { batches, holders } = yield* found([ROUTER], ROUTER)
      expect(holders).toMatchObject({ largest: RICH, found: RICH })
      expect(batches).toHaveLength(1)
    })
  )

  it.effect("does not count where nobody names it", () =>
    Effect.gen(function* () {
      const { batches, holders } = yield* found([], ROUTER)
      expect(holders).toMatchObject({ largest: 0n, found: 0n })
      expect(batches).toHaveLength(1)
    })
  )

  it.effect("is asked again where the token did not tell it, and is as unknown as ever", () =>
    Effect.gen(function* () {
      const { batches } = yield* found([ROUTER], MAKER, ROUTER)
      expect(batches[1]).toEqual([ROUTER])
    })
  )

  it.effect("is asked when the birth was read, of everybody else whom it names, and of them alone", () =>
    Effect.gen(function* () {
      const { batches, holders } = yield* found([ROUTER, STRANGER], STRANGER)
      expect(holders).toMatchObject({ largest: RICH, found: RICH })
      expect(batches[1]).toEqual([STRANGER])
    })
  )
})
