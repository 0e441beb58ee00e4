import { Effect, Either } from "effect"
import type { PublicClient } from "viem"
import { viemClient } from "../../../src/chain/viem-client.ts"

/** The service's own viem client in front of a node that answers as told. */
export const clientOver = (
  answer: (method: string, params: ReadonlyArray<unknown>) => Promise<unknown>
): PublicClient =>
  viemClient({
    sendEach: (requests) =>
      Effect.forEach(requests, ({ method, params }) =>
        Effect.map(
          Effect.promise(() => answer(method, params)),
          (result) => Either.right({ executed: true, result } as const)
        )
      )
  })
