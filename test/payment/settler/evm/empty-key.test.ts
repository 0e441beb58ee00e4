/** Of several settling keys one has no ether: a new one that nobody has sent any to, or one that ran out. */
import { describe, expect, layer } from "@effect/vitest"
import { Effect, Layer, Scope } from "effect"
import { join } from "node:path"
import type { PrivateKeyAccount } from "viem/accounts"
import { evmAccount } from "../../../../scripts/sandbox/accounts.ts"
import { newFolder } from "../../../support/folder.ts"
import { journalAt, settlingOver, newPayment } from "../../../support/payment/base-settling.ts"
import { LocalBase } from "../../../support/sandbox.ts"

const funded = evmAccount("settler")
const begun = { transaction: null, since: 0 }
const SETTLED = { state: "settled" }

/** A process with these keys and a journal at this path, which holds what keys nobody else does. */
const processWith = (path: string, ...accounts: readonly [PrivateKeyAccount, ...Array<PrivateKeyAccount>]) =>
  Effect.gen(function* () {
    const { url } = yield* LocalBase
    const context = yield* Layer.buildWithScope(journalAt(path), yield* Scope.Scope)
    return yield* Effect.provide(settlingOver(url, { accounts }), context)
  })

describe("a settling key without ether", () => {
  layer(LocalBase.layer, { excludeTestServices: true, timeout: 60_000 })((it) => {
    it.scoped("holds up no payment where another key can pay, though it stands in front", () =>
      Effect.gen(function* () {
        const { settle } = yield* processWith(":memory:", evmAccount("an empty key in front"), funded)
        for (let times = 0; times < 4; times++)
          expect(yield* settle(yield* newPayment, begun)).toMatchObject(SETTLED)
      })
    )

    it.scoped("is no key to send with: what its process has to send goes to one that holds another", () => {
      const path = join(newFolder(), "journal.db")
      return Effect.gen(function* () {
        yield* processWith(path, funded)
        const { settle } = yield* processWith(path, evmAccount("an empty key of this process"), funded)
        expect(yield* settle(yield* newPayment, begun)).toMatchObject(SETTLED)
      })
    })
  })
})
