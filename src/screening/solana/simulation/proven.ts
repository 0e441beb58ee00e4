import type { Effect } from "effect"
import { Ref } from "effect"
import type { PoolKind } from "../pools/decoded-pool.ts"
import { lasts } from "../../../domain/lasts.ts"

/** Programs change, so the proof that they are called rightly holds for this long. Milliseconds. */
const PROOF_LASTS = 3_600_000

/** When a kind of pool was last traded in successfully: proof that its instructions are built rightly. */
export type Proven = Ref.Ref<ReadonlyMap<PoolKind, number>>

export const makeProven: Effect.Effect<Proven> = Ref.make<ReadonlyMap<PoolKind, number>>(new Map())

/** Adds the kinds somebody could trade in just now, and gives all that are still proven. */
export const learn = (
  proven: Proven,
  kinds: ReadonlyArray<PoolKind>,
  now: number
): Effect.Effect<ReadonlyMap<PoolKind, number>> =>
  Ref.updateAndGet(
    proven,
    (known) =>
      new Map(
        [...known, ...kinds.map((kind) => [kind, now] as const)].filter(([, at]) =>
          lasts(at + PROOF_LASTS, PROOF_LASTS, now)
        )
      )
  )
