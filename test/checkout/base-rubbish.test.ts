/** What the checkout concludes from a node of Base that answers one question with rubbish. */
import { expect, layer } from "@effect/vitest"
import { Effect, Either } from "effect"
import fc from "fast-check"
import { parseAbi } from "viem"
import { makeReadInflows } from "../../src/checkout/base/usdc-inflow.ts"
import { makeBaseRefunds } from "../../src/checkout/refunds/base-refunds.ts"
import type { Refund } from "../../src/checkout/refunds/refund.ts"
import { BASE_NETWORK, BASE_USDC } from "../../src/domain/chain.ts"
import type { Devnet } from "../../scripts/sandbox/base/devnet.ts"
import { clientOver } from "../support/chain/client-over.ts"
import { type Spoiling, spoiled, spoiling } from "../support/chain/rubbish.ts"
import { standing } from "../support/chain/standing.ts"
import { refundTerms } from "../support/checkout/refund-terms.ts"
import { tried } from "../support/properties.ts"
import { LocalBase } from "../support/sandbox.ts"

const usdc = parseAbi(["function transfer(address to, uint256 value) returns (bool)"])
const AMOUNT = 1_234_567n
const PAYER = `0x${"5c".repeat(20)}` as const

const METHODS = [
  "eth_blockNumber",
  "eth_call",
  "eth_getBlockByHash",
  "eth_getBlockByNumber",
  "eth_getLogs",
  "eth_getTransactionCount",
  "eth_getTransactionReceipt"
] as const

layer(LocalBase.layer, { excludeTestServices: true, timeout: "2 minutes" })(
  "a node of Base that answers one question with rubbish",
  (it) => {
    /** A transfer of the merchant's to a payer that nobody paid before, deep enough to be final. */
    const paid = Effect.gen(function* () {
      const { accounts, devnet } = yield* LocalBase
      const { address } = accounts.payer
      return yield* Effect.promise(async () => {
        const [from, nonce] = await Promise.all([
          devnet.client.getBlockNumber(),
          devnet.client.getTransactionCount({ address })
        ])
        const transaction = await devnet.write(address, BASE_USDC, usdc, "transfer", [PAYER, AMOUNT])
        const receipt = await devnet.client.getTransactionReceipt({ hash: transaction })
        await devnet.request("anvil_mine", ["0x80"])
        return { from: Number(from), merchant: address, nonce, to: Number(receipt.blockNumber) }
      })
    })

    /** A node that has not indexed its logs lists none. */
    const nodesOf =
      (request: Devnet["request"], indexes = true) =>
      (bad: string, how: Spoiling | undefined) => {
        const client = clientOver(async (method, params) => {
          if (method === "eth_getLogs" && !indexes) return []
          const answer = await request(method, params)
          return method === bad && how !== undefined ? spoiled(answer, how) : answer
        })
        return { client, nodes: [{ host: "one", client }] }
      }

    /** Every way to spoil one method's answers. */
    const everyLook = <A>(
      look: (bad: string, how: Spoiling | undefined) => Effect.Effect<A, unknown>,
      check: (found: A) => void
    ) =>
      Effect.promise(() =>
        fc.assert(
          fc.asyncProperty(fc.constantFrom(...METHODS), spoiling, async (method, how) => {
            const found = await Effect.runPromise(Effect.either(look(method, how)))
            if (Either.isRight(found)) check(found.right)
            else expect(found.left).toMatchObject({ _tag: "UpstreamError" })
          }),
          tried(150, 50)
        )
      )

    it.effect("never says that a refund which landed can no longer land", () =>
      Effect.gen(function* () {
        const { from, merchant, nonce } = yield* paid
        const refund: Refund = {
          id: `ref_${"cd".repeat(16)}`,
          checkoutId: `chk_${"ab".repeat(16)}`,
          payer: PAYER,
          amount: AMOUNT,
          lifetime: String(nonce),
          validUntil: null,
          state: "open",
          lookedTo: from,
          preparedAt: 0
        }
        const terms = refundTerms(BASE_NETWORK, merchant, {
          checkoutId: refund.checkoutId,
          expiresAt: "2026-01-01T00:00:00.000Z",
          extra: {}
        })
        const request = standing((yield* LocalBase).devnet)
        for (const indexes of [true, false]) {
          const nodesWith = nodesOf(request, indexes)
          const look = (bad: string, how: Spoiling | undefined) =>
            makeBaseRefunds(nodesWith(bad, how)).look(refund, terms)
          const { candidates: honest, state: closed } = yield* look("", undefined)
          expect(honest).toHaveLength(indexes ? 2 : 1)
          expect(closed).toBe("void")
          yield* everyLook(look, ({ candidates, state }) => {
            for (const candidate of candidates) expect(candidate).toEqual(honest[0])
            expect([state, candidates.length > 0]).not.toEqual(["void", false])
          })
        }
      })
    )

    it.effect("never makes anything else of what came in", () =>
      Effect.gen(function* () {
        const { from, to } = yield* paid
        const nodesWith = nodesOf(standing((yield* LocalBase).devnet))
        const read = (bad: string, how: Spoiling | undefined) =>
          makeReadInflows(nodesWith(bad, how))({ owner: PAYER, from, to })
        const { inflows: honest } = yield* read("", undefined)
        expect(honest).toMatchObject([{ amount: AMOUNT, height: to }])
        yield* everyLook(read, ({ inflows }) => expect(inflows).toEqual(honest))
      })
    )
  }
)
