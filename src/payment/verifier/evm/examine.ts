import { ExactEvmScheme } from "@x402/evm/exact/facilitator"
import type { FacilitatorEvmSigner } from "@x402/evm"
import {
  encodeFunctionData,
  type Hex,
  isErc6492Signature,
  parseAbi,
  parseErc6492Signature,
  type PublicClient
} from "viem"
import { Effect } from "effect"
import { BASE_NETWORK } from "../../../domain/chain.ts"
import { PaymentRejected, PaymentUnavailable } from "../../../domain/errors.ts"
import type { Eip3009Payload, PaymentRequirements } from "../../../domain/x402.ts"
import type { VerifiedPayment } from "../verified-payment.ts"
import { isRevert } from "./rpc-error.ts"
import { asHex } from "./usdc.ts"

const unavailable = () => new PaymentUnavailable({ upstream: "base-rpc" })

const erc1271 = parseAbi(["function isValidSignature(bytes32 hash, bytes signature) view returns (bytes4)"])
const MAGIC = "0x1626ba7e"
/** Gas a contract wallet may use to verify a signature. */
const SIGNATURE_GAS = 400_000n
/** Stands for the code of an EOA whose signature was verified here, so that the scheme asks us instead of recovering it again. */
const VERIFIED = "0xfe"

interface Context {
  readonly client: PublicClient
  readonly payer: Hex
  readonly signatureVerified: boolean
  unreachable: boolean
}

/**
 * The chain as the official scheme sees it, for one examination. It swallows failed reads and then calls the signature
 * invalid; here every failed read is remembered, so that an outage stays an outage.
 */
const signerFor = (context: Context, codeOfPayer: Hex): FacilitatorEvmSigner => {
  const { client, payer, signatureVerified } = context
  const isPayer = (address: Hex) => address.toLowerCase() === payer.toLowerCase()
  const hasCode = codeOfPayer !== "0x"
  const notSent = () => Promise.reject(new Error("an examination sends nothing"))

  const noted = async <A>(read: () => Promise<A>): Promise<A> => {
    try {
      return await read()
    } catch (error) {
      if (!isRevert(error)) context.unreachable = true
      throw error
    }
  }

  const isValidSignature = async (address: Hex, args: ReadonlyArray<unknown>): Promise<Hex> => {
    if (isPayer(address) && signatureVerified && !hasCode) return MAGIC
    const [digest, signature] = args
    const data = encodeFunctionData({
      abi: erc1271,
      functionName: "isValidSignature",
      args: [asHex(String(digest)), asHex(String(signature))]
    })
    const result = await client.call({ to: address, data, gas: SIGNATURE_GAS })
    return result.data ?? "0x"
  }

  return {
    getAddresses: () => [],
    getCode: async ({ address }) => {
      if (isPayer(address)) return signatureVerified && !hasCode ? VERIFIED : codeOfPayer
      // The scheme leaves this promise unwatched when it returns early, so it must not reject.
      return noted(() => client.getCode({ address })).catch(() => undefined)
    },
    readContract: ({ address, abi, functionName, args = [] }) =>
      noted<unknown>(() =>
        functionName === "isValidSignature"
          ? isValidSignature(address, args)
          : client.readContract({ address, abi, functionName, args })
      ),
    verifyTypedData: () => Promise.resolve(false),
    writeContract: notSent,
    sendTransaction: notSent,
    waitForTransactionReceipt: notSent
  }
}

/** A deployed wallet's own signature inside an ERC-6492 wrapper. */
export const unwrap = (payload: Eip3009Payload): Eip3009Payload => {
  const signature = asHex(payload.signature)
  return isErc6492Signature(signature)
    ? { ...payload, signature: parseErc6492Signature(signature).signature.toLowerCase() }
    : payload
}

const run = async (context: Context, payload: Eip3009Payload, requirements: PaymentRequirements) => {
  // Nothing where the node said that there is none: what is no code at all the client refuses.
  const code = (await context.client.getCode({ address: context.payer })) ?? "0x"
  if (code === "0x" && isErc6492Signature(asHex(payload.signature))) {
    return { isValid: false, invalidReason: "eip6492_factory_not_allowed" }
  }
  const scheme = new ExactEvmScheme(signerFor(context, code))
  const accepted = { ...requirements, network: BASE_NETWORK, extra: { ...requirements.extra } } as const
  return scheme.verify({ x402Version: 2, accepted, payload: { ...unwrap(payload) } }, accepted)
}

/**
 * Asks the official scheme about a payment on Base: the signature (ERC-1271 where the payer has code, also a delegated
 * EOA's), the window and a simulation of the transfer. A node that fails is an outage, never a verdict.
 */
export const examineOnBase =
  (client: PublicClient) =>
  ({
    payment,
    payer,
    signatureVerified,
    requirements
  }: VerifiedPayment): Effect.Effect<void, PaymentRejected | PaymentUnavailable> =>
    Effect.gen(function* () {
      if (payment.scheme !== "eip3009") return yield* unavailable()
      const context: Context = { client, payer: asHex(payer), signatureVerified, unreachable: false }
      const { isValid, invalidReason } = yield* Effect.tryPromise({
        try: () => run(context, payment.evm, requirements),
        catch: unavailable
      }).pipe(Effect.timeoutFail({ duration: "15 seconds", onTimeout: unavailable }))
      if (isValid) return
      if (context.unreachable) return yield* unavailable()
      const reason = invalidReason ?? "unexpected_verify_error"
      return yield* new PaymentRejected({ reason, network: payment.network, payer })
    })
