import { Effect } from "effect"
import type { Hex } from "viem"
import {
  encodeDeployData,
  erc6492SignatureValidatorAbi,
  erc6492SignatureValidatorByteCode,
  hashMessage,
  recoverMessageAddress
} from "viem"
import type { UpstreamError } from "../domain/errors.ts"
import { normalizeEvmAddress } from "../domain/address.ts"
import type { BaseRpc } from "./chain-rpc.ts"

const isBytes = (text: string): text is Hex => /^0x(?:[0-9a-f]{2})+$/i.test(text)

/** What the validator answers for a signature that holds: a number of any width. */
const isOne = (data: Hex): boolean => /^0x0*1$/.test(data)

/** Whether the wallet's own key signed: nobody has to be asked. */
const recovers = async (wallet: Hex, message: string, signature: Hex): Promise<boolean> => {
  try {
    return normalizeEvmAddress(await recoverMessageAddress({ message, signature })) === wallet
  } catch {
    return false
  }
}

/**
 * Whether a contract says that it signed (ERC-1271), also one that is not deployed yet. Source of the validator, which runs
 * as init code and answers one byte: ERC-6492. What reverts is no signature.
 */
const signedByContract = ({ call }: Pick<BaseRpc, "call">, wallet: Hex, message: string, signature: Hex) => {
  const data = encodeDeployData({
    abi: erc6492SignatureValidatorAbi,
    args: [wallet, hashMessage(message), signature],
    bytecode: erc6492SignatureValidatorByteCode
  })
  return Effect.map(call({ data }), (answer) => answer.ok && isOne(answer.data))
}

/**
 * Whether a wallet on Base signed a text (EIP-191), with its key or as a contract. A node that does not answer is an outage,
 * never "not signed": the library's own verification takes the one for the other.
 */
export const isSignedOnBase = (
  base: Pick<BaseRpc, "call">,
  address: string,
  message: string,
  signature: string
): Effect.Effect<boolean, UpstreamError> => {
  const wallet = normalizeEvmAddress(address)
  if (wallet === undefined || !isBytes(signature)) return Effect.succeed(false)
  return Effect.flatMap(
    Effect.promise(() => recovers(wallet, message, signature)),
    (recovered) => (recovered ? Effect.succeed(true) : signedByContract(base, wallet, message, signature))
  )
}
