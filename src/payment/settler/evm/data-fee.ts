import { type Hex, type PublicClient, numberToHex } from "viem"
import { SELECTORS } from "../../../chain/selectors.ts"
import { isDevelopment } from "../../../chain/development-node.ts"

/**
 * The contract that says what publishing a transaction on Ethereum costs, which its sender pays on top of the gas.
 * Source: OP Stack specification, predeploys, `GasPriceOracle`; `getL1FeeUpperBound` since Fjord.
 */
const GAS_PRICE_ORACLE = "0x420000000000000000000000000000000000000f"

/** Call data of `transferWithAuthorization` with the 65 bytes of an EOA's signature. */
const TRANSFER_DATA_BYTES = 356
/** The same as an unsigned transaction: nonce, fees, gas and recipient beside it. */
const TRANSFER_BYTES = TRANSFER_DATA_BYTES + 64

/**
 * Most wei that publishing one EOA's transfer costs. In a batch it is less: the padding around it is zeros, which are
 * compressed away. No answer is an error, not a small fee: only a development chain, which publishes nothing, may lack
 * the oracle.
 */
export const readDataFee = async (client: PublicClient): Promise<bigint> => {
  const data: Hex = `${SELECTORS["getL1FeeUpperBound(uint256)"]}${numberToHex(TRANSFER_BYTES, { size: 32 }).slice(2)}`
  const answer = await client.request({
    method: "eth_call",
    params: [{ to: GAS_PRICE_ORACLE, data }, "latest"]
  })
  if (/^0x[0-9a-f]{64}$/i.test(answer)) return BigInt(answer)
  if (answer === "0x" && (await isDevelopment(client))) return 0n
  throw new Error("the node does not say what publishing on Ethereum costs")
}

/** Most wei that publishing a transfer with the call data `data` costs: a wallet's signature may be long. */
export const dataFeeOf = (ofTransfer: bigint, data: Hex): bigint => {
  const parts = Math.max(1, Math.ceil((data.length / 2 - 1) / TRANSFER_DATA_BYTES))
  return ofTransfer * BigInt(parts)
}
