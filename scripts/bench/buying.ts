/** Signed payments, made before anything is measured. */
import type { x402Client } from "@x402/core/client"
import { decodePaymentRequiredHeader, encodePaymentSignatureHeader } from "@x402/core/http"
import { Effect, type Scope } from "effect"
import { baseBuyer, solanaBuyer } from "../sandbox/buyer.ts"
import { evmAccount, solanaSigner } from "../sandbox/accounts.ts"
import type { Sandbox } from "../sandbox/sandbox.ts"
import { USDC_MINT } from "../sandbox/solana/addresses.ts"

export type PayingNetwork = "base" | "solana"

type Terms = ReturnType<typeof decodePaymentRequiredHeader>
type Payload = Awaited<ReturnType<x402Client["createPaymentPayload"]>>

export interface Purse {
  readonly pay: (terms: Terms) => Promise<Payload>
}

/** A buyer on each chain with more than any bench spends. */
export const openPurses = (
  sandbox: Sandbox
): Effect.Effect<Readonly<Record<PayingNetwork, Purse>>, never, Scope.Scope> =>
  Effect.gen(function* () {
    const { base, solana } = sandbox
    const account = evmAccount("bench buyer")
    yield* base.mintUsdc(account.address, 1_000_000_000_000n)
    const signer = yield* Effect.promise(() => solanaSigner("bench buyer"))
    yield* Effect.promise(() =>
      solana.place.tokenAccount({ mint: USDC_MINT, owner: signer.address, amount: 1_000_000_000_000n })
    )
    const purse = ({ client }: { readonly client: x402Client }): Purse => ({
      pay: (terms) => client.createPaymentPayload(terms)
    })
    return { base: purse(baseBuyer(account)), solana: purse(solanaBuyer(signer, solana.url)) }
  })

/** The terms a server asks for at an address. */
export const termsAt = async (url: string): Promise<Terms> => {
  const { headers, status } = await fetch(url)
  const header = headers.get("payment-required")
  if (header === null) throw new Error(`${url} answered ${status} without terms`)
  return decodePaymentRequiredHeader(header)
}

export const headerOf = (payload: Payload): string => encodePaymentSignatureHeader(payload)
